; The steps of a butterfly over the simdgroup are unrolled, so that each reads a
; constant lane: shuffles of registers, none through memory.
; RUN: bsm-cpu %s --group=64 --part-lanes=8 --stop-after=cleanup | FileCheck %s

declare i32 @bsm.thread_index_in_simdgroup()
declare i32 @bsm.thread_position_in_grid.x()
declare i32 @bsm.shuffle.b32(i32, i32)

; CHECK: define internal{{.*}} @k.run(
; CHECK-NOT: %shuffle = alloca
; CHECK: shufflevector <8 x i32> %{{.*}}, <8 x i32> poison, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3>
; CHECK: shufflevector <8 x i32> %{{.*}}, <8 x i32> poison, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
define void @k(ptr addrspace(1) %io) {
entry:
  %i = call i32 @bsm.thread_position_in_grid.x()
  %lane = call i32 @bsm.thread_index_in_simdgroup()
  %at = getelementptr i32, ptr addrspace(1) %io, i32 %i
  %mine = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %sum = phi i32 [ %mine, %entry ], [ %both, %loop ]
  %step = phi i32 [ 16, %entry ], [ %half, %loop ]
  %from = xor i32 %lane, %step
  %theirs = call i32 @bsm.shuffle.b32(i32 %sum, i32 %from)
  %both = add i32 %sum, %theirs
  %half = lshr i32 %step, 1
  %again = icmp ne i32 %half, 0
  br i1 %again, label %loop, label %done
done:
  store i32 %both, ptr addrspace(1) %at
  ret void
}
