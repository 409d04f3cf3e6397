; A loop that nothing leaves and code that cannot be reached: the sides of a
; divergent branch to them meet again all the same.
; RUN: bsm-region %s --stop-after=structurise | FileCheck %s
; RUN: bsm-region %s --stop-after=emit | FileCheck %s --check-prefix=EMIT

declare i32 @bsm.thread_index_in_threadgroup()

; CHECK-LABEL: define void @endless
; CHECK: br i1 true, label %loop, label %never
; CHECK: never:
; CHECK-NEXT: br label
; EMIT-LABEL: define internal i32 @endless
define void @endless(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %some = icmp eq i32 %t, 70
  br i1 %some, label %loop, label %done
loop:
  store volatile i32 1, ptr %a
  br label %loop
done:
  ret void
}

; CHECK-LABEL: define void @unreachable
; CHECK-NOT: {{^ *}}unreachable
; CHECK: ret void
; EMIT: define internal i32 @unreachable
define void @unreachable(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %some = icmp eq i32 %t, 70
  br i1 %some, label %never, label %done
never:
  store volatile i32 1, ptr %a
  unreachable
done:
  ret void
}
