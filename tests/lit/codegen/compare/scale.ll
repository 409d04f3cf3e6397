; RUN: bsm-compare %s --kernel scale --threads 70 --group 32 \
; RUN:   --buffer 0=iota-f32:70 --buffer 1=f32:2.5 | FileCheck %s
; CHECK: equal
; An access out of bounds is found before machine code runs.
; RUN: not bsm-compare %s --kernel scale --threads 70 --group 32 \
; RUN:   --buffer 0=iota-f32:60 --buffer 1=f32:2.5 2>&1 \
; RUN:   | FileCheck %s --check-prefix=OUTSIDE
; OUTSIDE: load of 4 bytes at offset 240 of argument 'x' (buffer 0)
target datalayout = "e-p:64:64-i64:64-f16:16-n8:16:32:64-S128"

declare i32 @bsm.thread_position_in_grid.x()

define void @scale(ptr addrspace(1) %x, ptr addrspace(4) %a) {
  %i = call i32 @bsm.thread_position_in_grid.x()
  %at = getelementptr float, ptr addrspace(1) %x, i32 %i
  %factor = load float, ptr addrspace(4) %a
  %value = load float, ptr addrspace(1) %at
  %product = fmul float %value, %factor
  store float %product, ptr addrspace(1) %at
  ret void
}
