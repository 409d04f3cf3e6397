; RUN: bsm-region %s --group=256,1,1 --lanes=64 --stop-after=shapes | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()
declare i32 @bsm.thread_index_in_simdgroup()

; CHECK-LABEL: shapes of @linear
; CHECK: %t: chunk-linear 1 align 2^6
; CHECK: %scaled: chunk-linear 4 align 2^8
; CHECK: %back: chunk-linear -1
; CHECK: %low: part-linear [0, 1, 2, 3, 4, 5, 6, 7] align 2^3
; CHECK: %row: part-uniform
; CHECK: %pair: part-linear [1, 0, 3, 2, 5, 4, 7, 6] align 2^3
; CHECK: %product: varying
; CHECK: %mixed: uniform
; CHECK: %index: chunk-linear 1
; CHECK: %address: chunk-linear 4
; CHECK: %loaded: varying
; CHECK: %rowAddress: part-uniform
; CHECK: %shared: part-uniform
; CHECK: %lane: part-linear [0, 1, 2, 3, 4, 5, 6, 7] align 2^3
define void @linear(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %scaled = shl i32 %t, 2
  %back = sub i32 %gx, %t
  %low = and i32 %t, 15
  %row = lshr i32 %t, 3
  %pair = xor i32 %t, 1
  %product = mul i32 %t, %gx
  %mixed = mul i32 %gx, %gy
  %index = zext i32 %t to i64
  %address = getelementptr float, ptr %a, i64 %index
  %loaded = load float, ptr %address
  %rowIndex = zext i32 %row to i64
  %rowAddress = getelementptr float, ptr %a, i64 %rowIndex
  %shared = load float, ptr %rowAddress
  %lane = call i32 @bsm.thread_index_in_simdgroup()
  %s = uitofp i32 %back to float
  %u = uitofp i32 %low to float
  %v = uitofp i32 %pair to float
  %w = uitofp i32 %product to float
  %x = uitofp i32 %lane to float
  %y = uitofp i32 %scaled to float
  %z = uitofp i32 %mixed to float
  %sum1 = fadd float %s, %u
  %sum2 = fadd float %sum1, %v
  %sum3 = fadd float %sum2, %w
  %sum4 = fadd float %sum3, %x
  %sum5 = fadd float %sum4, %y
  %sum6 = fadd float %sum5, %z
  %sum7 = fadd float %sum6, %loaded
  %sum8 = fadd float %sum7, %shared
  store float %sum8, ptr %address
  ret void
}
