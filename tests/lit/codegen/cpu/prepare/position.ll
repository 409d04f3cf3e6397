; The shape is a constant: positions are sums without wraps, address spaces are
; gone, constant memory is invariant.
; RUN: bsm-cpu %s --group=256 --stop-after=prepare | FileCheck %s
; RUN: bsm-cpu %s --stop-after=prepare | FileCheck %s --check-prefix=ANY

declare i32 @bsm.thread_position_in_grid.x()

; CHECK: define internal void @add.scalar(ptr %a, ptr %out, ptr %n, ptr noalias dereferenceable({{[0-9]+}}) %launch, ptr align 64 %threadgroup, ptr noalias align 64 %context, i32 %group.x
; CHECK-DAG: %[[BASE:.*]] = shl nuw i32 %group.x, 8
; CHECK-DAG: %[[INDEX:.*]] = tail call range(i32 0, 256) i32 @bsm.thread_index_in_threadgroup()
; CHECK: or disjoint i32 %[[INDEX]], %[[BASE]]
; CHECK: load i32, ptr %n, {{.*}}!invariant.load

; ANY: define internal void @add.index(
; ANY: %[[SIZE:.*]] = load i32, ptr {{.*}}, !range {{.*}}, !invariant.load
; ANY: mul nuw i32 {{.*}}%group.x
; ANY: urem i32 {{.*}}, %actual.x
define void @add(ptr addrspace(1) %a, ptr addrspace(1) %out,
                 ptr addrspace(4) %n) {
  %i = call i32 @bsm.thread_position_in_grid.x()
  %count = load i32, ptr addrspace(4) %n
  %in = icmp ult i32 %i, %count
  br i1 %in, label %go, label %done
go:
  %from = getelementptr float, ptr addrspace(1) %a, i32 %i
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float %value, ptr addrspace(1) %to
  br label %done
done:
  ret void
}
