; Threads leave the inner loop together at its top and one by one at its bottom,
; so the way they left, two constants, differs, and the outer loop is divergent.
; RUN: bsm-region %s --stop-after=structurise | FileCheck %s
; RUN: bsm-region %s --stop-after=shapes 2>&1 | FileCheck %s --check-prefix=SHAPES

declare i32 @bsm.thread_index_in_threadgroup()

; Both loops have one exit, at the latch.
; CHECK-LABEL: define void @nested
; CHECK: br i1 %{{.*}}, label %loop.exit.guard, label %inner
; CHECK: loop.exit.guard:
; CHECK: %[[WAY:.*]] = phi i1
; CHECK: %[[LEAVE:.*]] = select i1 %[[WAY]]
; CHECK: br i1 %[[LEAVE]], label %done, label %outer
; SHAPES: %loop.exit.guard: divergent branch
define void @nested(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  br label %outer
outer:
  %n = phi i32 [ 0, %entry ], [ %n.next, %again ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %bottom ]
  %end = icmp eq i32 %k, 40
  br i1 %end, label %done, label %bottom
bottom:
  %k.next = add i32 %k, 1
  %wanted = add i32 %t, %n
  %found = icmp eq i32 %k, %wanted
  br i1 %found, label %again, label %inner
again:
  %n.next = add i32 %n, 1
  br label %outer
done:
  store i32 %n, ptr %a
  ret void
}
