; A running sum crosses one barrier before and another after it grows. Both
; values have one place, so the region behind the second barrier, which adds
; nothing, leaves the sum alone.
; RUN: bsm-cpu %s --group=64 --lanes=32 --stop-after=regions | FileCheck %s

@tile = internal addrspace(3) global [64 x float] undef

declare i32 @bsm.thread_index_in_threadgroup()
declare void @bsm.threadgroup_barrier(i32)

; The region that adds reads and writes the one place of the sum.
; CHECK: define internal void @k.scalar.r1(
; CHECK: load float, ptr %[[SLOT:.*]], align 4
; CHECK: fadd float
; CHECK: store float %{{.*}}, ptr %[[SLOT]], align 4
; The other one only writes the result and the next element of the tile.
; CHECK: define internal void @k.scalar.r2(
; CHECK-COUNT-2: store float
; CHECK-NOT: store float
; CHECK: }
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(4) %n) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %count = load i32, ptr addrspace(4) %n
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = add i32 %i, %t
  %from = getelementptr float, ptr addrspace(1) %in, i32 %index
  %value = load float, ptr addrspace(1) %from
  %mine = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float %value, ptr addrspace(3) %mine
  call void @bsm.threadgroup_barrier(i32 2)
  %last = sub i32 63, %t
  %other = getelementptr float, ptr addrspace(3) @tile, i32 %last
  %theirs = load float, ptr addrspace(3) %other
  %more = fadd float %sum, %theirs
  call void @bsm.threadgroup_barrier(i32 2)
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %count
  br i1 %again, label %loop, label %done
done:
  %to = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %more, ptr addrspace(1) %to
  ret void
}
