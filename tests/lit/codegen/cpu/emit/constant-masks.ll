; A condition that is known for every lane: whole parts are on or off, so that
; no access is masked, and nothing is done where all are off.
; RUN: bsm-cpu %s --group=32 --part-lanes=8 --cpu=x86-64-v3 --stop-after=cleanup | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()

; CHECK-LABEL: define internal i32 @k.run
; CHECK: load <8 x i32>
; CHECK-NEXT: load <8 x i32>
; CHECK-NEXT: mul <8 x i32>
; CHECK-NEXT: mul <8 x i32>
; CHECK-NEXT: store <8 x i32>
; CHECK-NEXT: store <8 x i32>
; CHECK-NEXT: br
define void @k(ptr addrspace(1) %out) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %on = icmp ult i32 %t, 16
  br i1 %on, label %add, label %done
add:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  %x = load i32, ptr addrspace(1) %to
  %y = mul i32 %x, 3
  store i32 %y, ptr addrspace(1) %to
  br label %done
done:
  ret void
}
