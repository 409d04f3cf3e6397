; A 32-bit value that may wrap within a chunk keeps its shape when it is
; extended only if it is nothing but an index.
; RUN: bsm-region %s --group=256,1,1 --lanes=64 --stop-after=shapes | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()

; CHECK-LABEL: shapes of @extension
; CHECK: %asIndex: chunk-linear 1
; CHECK: %asValue: varying
; CHECK: %narrow: varying
; CHECK: %known: chunk-linear 1
define void @extension(ptr %a, i32 %n, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %moved = sub i32 %t, %gx
  %asIndex = zext i32 %moved to i64
  %p = getelementptr float, ptr %a, i64 %asIndex
  %other = add i32 %t, %gy
  %asValue = zext i32 %other to i64
  %f = uitofp i64 %asValue to float
  %byte = trunc i32 %other to i8
  %narrow = zext i8 %byte to i64
  %q = getelementptr float, ptr %a, i64 %narrow
  %known = zext i32 %t to i64
  %g = uitofp i64 %known to float
  %s = fadd float %f, %g
  store float %s, ptr %p
  store float %s, ptr %q
  ret void
}
