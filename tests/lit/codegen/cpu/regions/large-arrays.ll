; Arrays that are too large for a thread's stack lie in the context, small ones
; on the stack.
; RUN: bsm-cpu %s --kernel=large --group=64 --stop-after=regions | FileCheck %s --check-prefix=LARGE
; LARGE: call ptr @bsm.cpu.private(i32 64, i32 12000, i32 4, i1 false)
; RUN: bsm-cpu %s --kernel=small --group=64 --stop-after=regions | FileCheck %s --check-prefix=SMALL
; SMALL: alloca [8 x float]
; RUN: not bsm-cpu %s --kernel=endless --group=64 --stop-after=regions 2>&1 | FileCheck %s --check-prefix=ENDLESS
; ENDLESS: error: kernel 'endless' has private arrays of 400000000 bytes a thread

declare i32 @bsm.thread_position_in_grid.x()

define void @large(ptr addrspace(1) %io) {
  %array = alloca [3000 x float]
  %t = call i32 @bsm.thread_position_in_grid.x()
  %at = getelementptr i32, ptr addrspace(1) %io, i32 %t
  %k = load i32, ptr addrspace(1) %at
  %a = getelementptr float, ptr %array, i32 %k
  store float 1.0, ptr %a
  %b = getelementptr float, ptr %array, i32 %t
  %v = load float, ptr %b
  store float %v, ptr addrspace(1) %at
  ret void
}

define void @small(ptr addrspace(1) %io) {
  %array = alloca [8 x float]
  %t = call i32 @bsm.thread_position_in_grid.x()
  %at = getelementptr i32, ptr addrspace(1) %io, i32 %t
  %k = load i32, ptr addrspace(1) %at
  %a = getelementptr float, ptr %array, i32 %k
  store float 1.0, ptr %a
  %b = getelementptr float, ptr %array, i32 %t
  %v = load float, ptr %b
  store float %v, ptr addrspace(1) %at
  ret void
}

define void @endless(ptr addrspace(1) %io) {
  %array = alloca [100000000 x float]
  %t = call i32 @bsm.thread_position_in_grid.x()
  %at = getelementptr i32, ptr addrspace(1) %io, i32 %t
  %k = load i32, ptr addrspace(1) %at
  %a = getelementptr float, ptr %array, i32 %k
  store float 1.0, ptr %a
  %b = getelementptr float, ptr %array, i32 %t
  %v = load float, ptr %b
  store float %v, ptr addrspace(1) %at
  ret void
}
