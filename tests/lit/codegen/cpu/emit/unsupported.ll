; What has no form on lanes is an error that names it.
; RUN: not bsm-region %s --group=64,1,1 2>&1 | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()
declare float @elsewhere(float)

; CHECK: error: CPU code generation does not support the call elsewhere
define void @call(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %x = uitofp i32 %t to float
  %y = call float @elsewhere(float %x)
  store float %y, ptr %a
  ret void
}
