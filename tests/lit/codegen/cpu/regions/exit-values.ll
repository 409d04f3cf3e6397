; How threads left a loop differs, although two constants stand for it: over a
; barrier it is kept for each thread, not once for all.
; RUN: bsm-cpu %s --group=256 --lanes=64 --stop-after=regions | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()
declare void @bsm.threadgroup_barrier(i32)

; CHECK-LABEL: define internal void @k.scalar.r1
; CHECK: %[[T:.*]] = call {{.*}} @bsm.thread_index_in_threadgroup()
; CHECK: %[[T64:.*]] = zext {{.*}}i32 %[[T]] to i64
; CHECK: %[[PLACE:.*]] = getelementptr {{.*}}i32, ptr %{{.*}}, i64 %[[T64]]
; CHECK: load i32, ptr %[[PLACE]]
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %out) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %bottom ]
  %from = getelementptr i32, ptr addrspace(1) %a, i32 %k
  %x = load i32, ptr addrspace(1) %from
  %end = icmp slt i32 %x, 0
  br i1 %end, label %behind, label %bottom
bottom:
  %next = add i32 %k, 1
  %found = icmp eq i32 %x, %t
  br i1 %found, label %behind, label %loop
behind:
  %how = phi i32 [ 7, %loop ], [ 9, %bottom ]
  call void @bsm.threadgroup_barrier(i32 2)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %how, ptr addrspace(1) %to
  ret void
}
