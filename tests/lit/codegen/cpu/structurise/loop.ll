; A loop with a divergent break in the middle leaves at its latch only.
; RUN: bsm-region %s --stop-after=structurise | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()

; CHECK-LABEL: define void @loop
; CHECK: br label %[[HEAD:[a-zA-Z0-9_.]+]]
; CHECK: [[HEAD]]:
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %[[FLOW:Flow[0-9]*]]
; CHECK: [[FLOW]]:
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %[[HEAD]]
define void @loop(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %stop = icmp eq i32 %k, %t
  br i1 %stop, label %done, label %latch
latch:
  %next = add i32 %k, 1
  %i = zext i32 %next to i64
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 %t, ptr %p
  %more = icmp ult i32 %next, 100
  br i1 %more, label %head, label %done
done:
  ret void
}
