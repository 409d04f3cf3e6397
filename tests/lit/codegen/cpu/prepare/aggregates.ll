; Values of struct and array type become one value an element, so that no lane
; holds an aggregate.
; RUN: bsm-cpu %s --kernel=k --group=32 --stop-after=prepare | FileCheck %s
; RUN: bsm-cpu %s --kernel=k --group=32 --stop-after=cleanup | FileCheck %s --check-prefix=BODY

; CHECK: define internal void @k.scalar(
; CHECK-NOT: {{phi|load|select i1 %odd,|store}} {
; CHECK: ret void
; BODY: define internal i32 @k.run
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %t = call i32 @bsm.thread_position_in_grid.x()
  %from = getelementptr { float, [2 x i32] }, ptr addrspace(1) %in, i32 %t
  %first = load { float, [2 x i32] }, ptr addrspace(1) %from
  br label %loop
loop:
  %value = phi { float, [2 x i32] } [ %first, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %more = add i32 %i, 1
  %number = extractvalue { float, [2 x i32] } %value, 1, 1
  %odd = trunc i32 %number to i1
  %changed = insertvalue { float, [2 x i32] } %value, i32 %i, 1, 1
  %next = select i1 %odd, { float, [2 x i32] } %changed, { float, [2 x i32] } %first
  %again = icmp ult i32 %more, %t
  br i1 %again, label %loop, label %done
done:
  %to = getelementptr { float, [2 x i32] }, ptr addrspace(1) %out, i32 %t
  store { float, [2 x i32] } %next, ptr addrspace(1) %to
  ret void
}

declare i32 @bsm.thread_position_in_grid.x()
