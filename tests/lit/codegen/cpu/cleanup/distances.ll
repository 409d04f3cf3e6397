; Absolute differences of unsigned vectors, where the target has no minimum of
; them: x86 code for the selection is wrong once an operand's sign is known.
; RUN: bsm-cpu %s --group=8 --part-lanes=8 --cpu=x86-64-v3 --stop-after=cleanup | FileCheck %s
; RUN: bsm-cpu %s --group=8 --part-lanes=8 --cpu=x86-64-v4 --stop-after=cleanup | FileCheck %s --check-prefix=MINIMUM

declare i32 @bsm.thread_index_in_threadgroup()
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)

; CHECK-LABEL: define internal i32 @k.run
; CHECK: %[[MASK:.*]] = sext <8 x i1> %{{.*}} to <8 x i64>
; CHECK: %[[FLIPPED:.*]] = xor <8 x i64> %{{.*}}, %[[MASK]]
; CHECK: sub <8 x i64> %[[FLIPPED]], %[[MASK]]
; CHECK-NOT: select <8 x i1>
; CHECK: %[[OTHER:.*]] = sext <8 x i1> %{{.*}} to <8 x i64>
; CHECK: sub <8 x i64> %{{.*}}, %[[OTHER]]
; MINIMUM-LABEL: define internal i32 @k.run
; MINIMUM: select <8 x i1>
; MINIMUM: call <8 x i64> @llvm.umin
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out, ptr addrspace(1) %extremes) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %pa = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr i64, ptr addrspace(1) %b, i64 %i
  %va = load i64, ptr addrspace(1) %pa
  %vb = load i64, ptr addrspace(1) %pb
  %greater = icmp ugt i64 %va, %vb
  %ab = sub i64 %va, %vb
  %ba = sub i64 %vb, %va
  %distance = select i1 %greater, i64 %ab, i64 %ba
  %po = getelementptr i64, ptr addrspace(1) %out, i64 %i
  store i64 %distance, ptr addrspace(1) %po
  %most = call i64 @llvm.umax.i64(i64 %va, i64 %vb)
  %least = call i64 @llvm.umin.i64(i64 %vb, i64 %va)
  %again = sub i64 %most, %least
  %pe = getelementptr i64, ptr addrspace(1) %extremes, i64 %i
  store i64 %again, ptr addrspace(1) %pe
  ret void
}
