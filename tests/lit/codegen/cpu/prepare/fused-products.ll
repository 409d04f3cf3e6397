; A product and sum of floats rounds once where the CPU has the instruction, also
; where both factors are constants and LLVM would multiply them alone.
; RUN: bsm-cpu %s --kernel=products --group=64 --cpu=x86-64-v3 --stop-after=prepare | FileCheck %s --check-prefix=FUSED
; RUN: bsm-cpu %s --kernel=products --group=64 --cpu=x86-64-v2 --stop-after=prepare | FileCheck %s --check-prefix=SPLIT

; FUSED-LABEL: define internal void @products.scalar
; FUSED: @llvm.fma.f32(float %{{.*}}, float 0x3FB99999A0000000, float
; FUSED: @llvm.fma.f32(float 3.000000e+00, float 0x3FB99999A0000000, float
; FUSED-NOT: fmuladd
; FUSED: ret void
; SPLIT-LABEL: define internal void @products.scalar
; SPLIT: @llvm.fmuladd.f32(
; SPLIT: ret void
define void @products(ptr addrspace(1) %x) {
  %i = call i32 @bsm.thread_position_in_grid.x()
  %wide = zext i32 %i to i64
  %place = getelementptr float, ptr addrspace(1) %x, i64 %wide
  %a = load float, ptr addrspace(1) %place
  %b = call float @llvm.fmuladd.f32(float %a, float 0x3FB99999A0000000, float 1.0)
  %c = call float @llvm.fmuladd.f32(float 3.0, float 0x3FB99999A0000000, float %b)
  store float %c, ptr addrspace(1) %place
  ret void
}

declare i32 @bsm.thread_position_in_grid.x()
declare float @llvm.fmuladd.f32(float, float, float)
