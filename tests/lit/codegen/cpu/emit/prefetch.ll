; A group of four chunks walks through a row. Each chunk fetches its share of
; the row behind it: 64 lanes of 4 bytes in an iteration.
; RUN: bsm-cpu %s --group=256 --lanes=64 --part-lanes=8 --cpu=x86-64-v3 --stop-after=emit | FileCheck %s
; RUN: bsm-cpu %s --group=256 --lanes=256 --part-lanes=8 --cpu=x86-64-v3 --stop-after=emit | FileCheck %s --check-prefix=ONE

declare i32 @bsm.thread_index_in_threadgroup()
declare i32 @bsm.threadgroup_position_in_grid.x()

; ONE-NOT: call void @llvm.prefetch
; CHECK: define internal i32 @k.scalar.all(
; CHECK-COUNT-4: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 1, i32 3, i32 1)
; Not the weights, which all groups share, and not again under a mask.
; CHECK-NOT: call void @llvm.prefetch
define void @k(ptr addrspace(1) %row, ptr addrspace(1) %weights, ptr addrspace(4) %n) mustprogress {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %count = load i32, ptr addrspace(4) %n
  %g = call i32 @bsm.threadgroup_position_in_grid.x()
  %start = mul i32 %g, %count
  %mine = getelementptr float, ptr addrspace(1) %row, i32 %start
  %some = icmp ult i32 %t, %count
  br i1 %some, label %loop, label %done
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %wide = zext i32 %i to i64
  %at = getelementptr inbounds float, ptr addrspace(1) %mine, i64 %wide
  %x = load float, ptr addrspace(1) %at
  %weight = getelementptr inbounds float, ptr addrspace(1) %weights, i64 %wide
  %w = load float, ptr addrspace(1) %weight
  %y = fmul float %x, %w
  store float %y, ptr addrspace(1) %at
  %next = add i32 %i, 256
  %again = icmp ult i32 %next, %count
  br i1 %again, label %loop, label %done
done:
  ret void
}
