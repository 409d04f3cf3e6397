; A divergent loop whose lanes meet again before the next barrier: nobody
; returns while others wait, so no thread is marked as present.
; RUN: bsm-cpu %s --group=64 --lanes=32 --stop-after=regions | FileCheck %s

@tile = internal addrspace(3) global [64 x float] undef

declare i32 @bsm.thread_index_in_threadgroup()
declare void @bsm.threadgroup_barrier(i32)

; CHECK-NOT: present
; CHECK: define internal void @k.scalar.r1(
; CHECK-NOT: present
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(4) %n) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %count = load i32, ptr addrspace(4) %n
  %some = icmp ult i32 %t, %count
  br i1 %some, label %loop, label %write
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %value = load float, ptr addrspace(1) %from
  %more = fadd float %sum, %value
  %next = add i32 %i, 64
  %again = icmp ult i32 %next, %count
  br i1 %again, label %loop, label %write
write:
  %total = phi float [ 0.0, %entry ], [ %more, %loop ]
  %mine = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float %total, ptr addrspace(3) %mine
  call void @bsm.threadgroup_barrier(i32 2)
  %last = sub i32 63, %t
  %other = getelementptr float, ptr addrspace(3) @tile, i32 %last
  %theirs = load float, ptr addrspace(3) %other
  %first = icmp ult i32 %t, 7
  br i1 %first, label %store, label %done
store:
  %to = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %theirs, ptr addrspace(1) %to
  br label %done
done:
  ret void
}
