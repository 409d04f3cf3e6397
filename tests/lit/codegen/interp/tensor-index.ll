; RUN: not bsm-interp %s --kernel check --threads 4 --group 4 --tensor 0=2x3:iota-f32:6 2>&1 \
; RUN:   | FileCheck %s
; CHECK: kernel 'check': unknown line: index 3 is outside of dimension 0 (innermost first, extent 3) of tensor argument 't' (buffer 0)
; CHECK-SAME: in thread (3, 0, 0)
target datalayout = "e-p:64:64"

declare i32 @bsm.thread_position_in_grid.x()
declare void @bsm.check_index(i1, ptr addrspace(4), i32, i64)

define void @check(ptr addrspace(4) %t) {
  %i = call i32 @bsm.thread_position_in_grid.x()
  %ok = icmp ult i32 %i, 3
  %index = zext i32 %i to i64
  call void @bsm.check_index(i1 %ok, ptr addrspace(4) %t, i32 0, i64 %index)
  ret void
}
