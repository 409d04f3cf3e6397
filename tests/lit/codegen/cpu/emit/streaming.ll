; A kernel that only writes a buffer, front to back, has a second body with
; stores past the caches, for buffers larger than those.
; RUN: bsm-cpu %s --kernel=scale --group=64 --lanes=64 --part-lanes=8 --stop-after=emit | FileCheck %s
; So has what is only for grids of complete groups.
; RUN: bsm-cpu %s --kernel=scale --group=64 --lanes=64 --part-lanes=8 --complete-groups --stop-after=emit | FileCheck %s --check-prefix=COMPLETE
; COMPLETE: define internal i32 @scale.run(
; COMPLETE: br i1 %{{.*}}, label %streaming, label %usual
; COMPLETE: call i32 @scale.scalar.streaming(
; One that also reads it has not, nor one that writes it in pieces.
; RUN: bsm-cpu %s --kernel=inplace --group=64 --lanes=64 --part-lanes=8 --stop-after=emit | FileCheck %s --check-prefix=NONE
; RUN: bsm-cpu %s --kernel=pieces --group=64 --lanes=64 --part-lanes=8 --stop-after=emit | FileCheck %s --check-prefix=NONE
; NONE-NOT: nontemporal
; NONE-NOT: scalar.streaming

declare i32 @bsm.thread_position_in_grid.x()

; CHECK: define internal i32 @scale.scalar.all(
; CHECK-NOT: nontemporal
; CHECK: define internal i32 @scale.scalar.streaming(
; CHECK: store <4 x float> %{{.*}}, align 16, !nontemporal
; CHECK: define internal i32 @scale.scalar.masked(
; CHECK-NOT: nontemporal
; CHECK: define internal i32 @scale.run(
; CHECK: icmp uge i64 %bytes, 33554432
; CHECK: br i1 %{{.*}}, label %streaming, label %usual
; CHECK: fence seq_cst
define void @scale(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @bsm.thread_position_in_grid.x()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %t
  %value = load float, ptr addrspace(1) %from
  %twice = fadd float %value, %value
  %to = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %twice, ptr addrspace(1) %to
  ret void
}

define void @inplace(ptr addrspace(1) %io) {
  %t = call i32 @bsm.thread_position_in_grid.x()
  %at = getelementptr float, ptr addrspace(1) %io, i32 %t
  %value = load float, ptr addrspace(1) %at
  %twice = fadd float %value, %value
  store float %twice, ptr addrspace(1) %at
  ret void
}

define void @pieces(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @bsm.thread_position_in_grid.x()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %t
  %value = load float, ptr addrspace(1) %from
  %twice = fadd float %value, %value
  %two = shl i32 %t, 1
  %to = getelementptr float, ptr addrspace(1) %out, i32 %two
  store float %twice, ptr addrspace(1) %to
  ret void
}
