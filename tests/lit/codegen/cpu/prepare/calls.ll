; Calls that cannot become part of the kernel, by name and reason.
; A pointer that differs between threads is a choice of the functions it can be.
; RUN: bsm-cpu %s --kernel=pointer --group=32 --stop-after=prepare | FileCheck %s --check-prefix=POINTER
; POINTER: define internal void @pointer.scalar(
; POINTER-NOT: call i32 %
; POINTER-DAG: shl {{.*}}i32 {{.*}}, 1
; POINTER-DAG: mul {{.*}}i32 {{.*}}, 3
; RUN: not bsm-cpu %s --kernel=missing --group=32 --stop-after=prepare 2>&1 | FileCheck %s --check-prefix=MISSING
; MISSING: error: kernel 'missing' calls 'absent(int)', which is declared but not defined
; RUN: not bsm-cpu %s --kernel=assembly --group=32 --stop-after=prepare 2>&1 | FileCheck %s --check-prefix=ASSEMBLY
; ASSEMBLY: error: kernel 'assembly' contains inline assembly
; A pointer that is a constant after simplification is a call like any other.
; RUN: bsm-cpu %s --kernel=known --group=32 --stop-after=prepare | FileCheck %s --check-prefix=KNOWN
; KNOWN: define internal void @known.scalar(
; KNOWN-NOT: call i32 @twice
; KNOWN: shl i32

declare i32 @bsm.thread_position_in_grid.x()
declare i32 @_Z6absenti(i32)

define internal i32 @twice(i32 %x) {
  %y = shl i32 %x, 1
  ret i32 %y
}

define internal i32 @thrice(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}

define void @pointer(ptr addrspace(1) %out) {
  %t = call i32 @bsm.thread_position_in_grid.x()
  %odd = trunc i32 %t to i1
  %callee = select i1 %odd, ptr @twice, ptr @thrice
  %y = call i32 %callee(i32 %t)
  store i32 %y, ptr addrspace(1) %out
  ret void
}

define void @missing(ptr addrspace(1) %out) {
  %y = call i32 @_Z6absenti(i32 1)
  store i32 %y, ptr addrspace(1) %out
  ret void
}

define void @assembly(ptr addrspace(1) %out) {
  call void asm sideeffect "int3", ""()
  ret void
}

define void @known(ptr addrspace(1) %out) {
  %slot = alloca ptr
  store ptr @twice, ptr %slot
  %t = call i32 @bsm.thread_position_in_grid.x()
  %callee = load ptr, ptr %slot
  %y = call i32 %callee(i32 %t)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %y, ptr addrspace(1) %to
  ret void
}
