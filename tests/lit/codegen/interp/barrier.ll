; Threads exchange values through threadgroup memory: a tree sum and a rotation.
; RUN: bsm-interp %s --kernel sum --threads 100 --group 64 --buffer 0=iota-u32:100 \
; RUN:   --buffer 1=zeros:8 --print 1=u32 | FileCheck %s --check-prefix=SUM
; The first group sums 0..63, the second, of 36 threads, 64..99.
; SUM: 2016 2934
target datalayout = "e-p:64:64"

@values = internal addrspace(3) global [64 x i32] undef

declare i32 @bsm.thread_position_in_grid.x()
declare i32 @bsm.thread_index_in_threadgroup()
declare i32 @bsm.threadgroup_position_in_grid.x()
declare i32 @bsm.threads_per_threadgroup.x()
declare void @bsm.threadgroup_barrier(i32)

define void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %i = call i32 @bsm.thread_position_in_grid.x()
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %n = call i32 @bsm.threads_per_threadgroup.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %value = load i32, ptr addrspace(1) %from
  %mine = getelementptr i32, ptr addrspace(3) @values, i32 %t
  store i32 %value, ptr addrspace(3) %mine
  call void @bsm.threadgroup_barrier(i32 2)
  br label %loop
loop:
  %distance = phi i32 [ 32, %entry ], [ %half, %next ]
  %other = add i32 %t, %distance
  %inside = icmp ult i32 %other, %n
  %low = icmp ult i32 %t, %distance
  %adds = and i1 %inside, %low
  br i1 %adds, label %add, label %next
add:
  %theirs = getelementptr i32, ptr addrspace(3) @values, i32 %other
  %a = load i32, ptr addrspace(3) %mine
  %b = load i32, ptr addrspace(3) %theirs
  %ab = add i32 %a, %b
  store i32 %ab, ptr addrspace(3) %mine
  br label %next
next:
  call void @bsm.threadgroup_barrier(i32 2)
  %half = lshr i32 %distance, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %done
done:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %end
write:
  %g = call i32 @bsm.threadgroup_position_in_grid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %g
  %total = load i32, ptr addrspace(3) @values
  store i32 %total, ptr addrspace(1) %to
  br label %end
end:
  ret void
}
