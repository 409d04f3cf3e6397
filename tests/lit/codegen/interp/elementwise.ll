; RUN: bsm-interp %s --kernel scale --threads 6 --group 4 --buffer 0=iota-f32:6 \
; RUN:   --buffer 1=zeros:24 --buffer 2=f32:2.5 --print 1=f32 | FileCheck %s
; CHECK: 1 3.5 6 8.5 11 13.5
target datalayout = "e-p:64:64"

declare i32 @bsm.thread_position_in_grid.x()

define void @scale(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(4) %a) {
  %i = call i32 @bsm.thread_position_in_grid.x()
  %from = getelementptr float, ptr addrspace(1) %x, i32 %i
  %to = getelementptr float, ptr addrspace(1) %y, i32 %i
  %factor = load float, ptr addrspace(4) %a
  %value = load float, ptr addrspace(1) %from
  %product = call float @llvm.fma.f32(float %value, float %factor, float 1.0)
  store float %product, ptr addrspace(1) %to
  ret void
}
