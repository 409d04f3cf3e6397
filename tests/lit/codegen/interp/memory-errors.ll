; RUN: not bsm-interp %s --kernel past_end --threads 4 --group 4 --buffer 0=zeros:12 2>&1 \
; RUN:   | FileCheck %s --check-prefix=PAST
; PAST: error: kernel 'past_end': unknown line: store of 4 bytes at offset 12 of argument 'x' (buffer 0), which has 12 bytes, in thread (3, 0, 0)
; RUN: not bsm-interp %s --kernel past_end --threads 4 --group 4 2>&1 \
; RUN:   | FileCheck %s --check-prefix=UNBOUND
; UNBOUND: store of 4 bytes of argument 'x' (buffer 0), which is not bound
; RUN: not bsm-interp %s --kernel neighbours --threads 1 --group 1 2>&1 \
; RUN:   | FileCheck %s --check-prefix=VARIABLE
; VARIABLE: load of 4 bytes at offset -4 of variable 'b' of 'neighbours', which has 4 bytes
; RUN: not bsm-interp %s --kernel null --threads 1 --group 1 2>&1 \
; RUN:   | FileCheck %s --check-prefix=NULL
; NULL: load of 4 bytes through a null pointer
; RUN: not bsm-interp %s --kernel constant --threads 1 --group 1 2>&1 \
; RUN:   | FileCheck %s --check-prefix=CONSTANT
; CONSTANT: store of 4 bytes at offset 0 of constant 'table', which has 4 bytes and is read-only
; RUN: not bsm-interp %s --kernel endless --threads 1 --group 1 --limit 1000 2>&1 \
; RUN:   | FileCheck %s --check-prefix=ENDLESS
; ENDLESS: gave up after 1000 instructions of one thread
; RUN: not bsm-interp %s --kernel recursive --threads 1 --group 1 2>&1 \
; RUN:   | FileCheck %s --check-prefix=RECURSIVE
; RECURSIVE: calls nest deeper than 512
target datalayout = "e-p:64:64"

@table = internal addrspace(4) constant i32 7

declare i32 @bsm.thread_position_in_grid.x()

define void @past_end(ptr addrspace(1) %x) {
  %i = call i32 @bsm.thread_position_in_grid.x()
  %to = getelementptr i32, ptr addrspace(1) %x, i32 %i
  store i32 1, ptr addrspace(1) %to
  ret void
}
define void @neighbours() {
  %a = alloca i32
  %b = alloca i32
  %before = getelementptr i32, ptr %b, i32 -1
  %x = load i32, ptr %before
  ret void
}
define void @null() {
  %x = load i32, ptr null
  ret void
}
define void @constant() {
  %p = addrspacecast ptr addrspace(4) @table to ptr
  store i32 1, ptr %p
  ret void
}
define void @endless() {
  br label %loop
loop:
  br label %loop
}
define void @recursive() {
  call void @recursive()
  ret void
}

; RUN: not bsm-interp %s --kernel mutable --threads 1 --group 1 2>&1 \
; RUN:   | FileCheck %s --check-prefix=MUTABLE
; MUTABLE: the variable 'state' belongs to no thread; program scope has constants alone
@state = internal global i32 0
define void @mutable() {
  %x = load i32, ptr @state
  ret void
}
