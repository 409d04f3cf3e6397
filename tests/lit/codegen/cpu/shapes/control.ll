; RUN: bsm-region %s --group=64,1,1 --lanes=64 --stop-after=shapes | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()

; What lanes hold where they meet again differs; what a loop leaves behind does
; because they leave it at different times.
; CHECK-LABEL: shapes of @control
; CHECK: divergent branch
; CHECK: %k{{.*}}: uniform
; CHECK: divergent join
; CHECK: %{{.*}}: varying
define void @control(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %t
  br i1 %more, label %loop, label %done
done:
  store i32 %k, ptr %p
  ret void
}
