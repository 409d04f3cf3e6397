; Narrow floats are computed in float; without conversion instructions and for
; bfloat the rounding is integer code, and values are held as integers.
; RUN: bsm-region %s --group=64,1,1 --lanes=32 | FileCheck %s
; RUN: bsm-region %s --group=64,1,1 --lanes=32 --part-lanes=4 --cpu=x86-64-v2 | FileCheck %s --check-prefix=BASE

declare i32 @bsm.thread_index_in_threadgroup()
declare float @llvm.fma.f32(float, float, float)

; CHECK-LABEL: define internal i32 @halves.all
; CHECK: fpext <8 x half>
; CHECK: fmul <8 x float>
; CHECK: fptrunc <8 x float>
; CHECK-LABEL: define internal i32 @bfloats.all
; CHECK-NOT: x bfloat>
; CHECK: lshr <8 x i32> %{{.*}}, splat (i32 16)
; CHECK: store <8 x i16>
; CHECK-LABEL: define internal i32 @fused.all
; CHECK: @llvm.fma.v8f32

; BASE-LABEL: define internal i32 @halves.all
; BASE-NOT: x half>
; BASE: store <4 x i16>
; BASE-LABEL: define internal i32 @fused.all
; BASE-NOT: llvm.fma
; BASE: fmul <4 x double>
; BASE: ret i32 0
define void @halves(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr half, ptr %a, i64 %i
  %x = load half, ptr %p
  %y = fmul half %x, %x
  store half %y, ptr %p
  ret void
}
define void @bfloats(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr bfloat, ptr %a, i64 %i
  %x = load bfloat, ptr %p
  %y = fmul bfloat %x, %x
  store bfloat %y, ptr %p
  ret void
}
define void @fused(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p
  %y = call float @llvm.fma.f32(float %x, float %x, float 1.0)
  store float %y, ptr %p
  ret void
}
