; A value that repeats in every simdgroup is computed once, but not taken from a
; simdgroup that has no lanes to compute it for.
; RUN: bsm-cpu %s --group=64 --part-lanes=16 --lanes=64 --cpu=x86-64-v4 --stop-after=emit | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()
declare i32 @bsm.thread_index_in_simdgroup()

; CHECK-LABEL: define internal i32 @k.scalar.all
; CHECK-NOT: v16i32.v16p0(<16 x i32> {{poison|undef}}
; CHECK: call void @llvm.masked.scatter.v16i32.v16p0(<16 x i32> <i32 25, i32 1, i32 4,
; CHECK-LABEL: define
define void @k(ptr addrspace(1) %out) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %lane = call i32 @bsm.thread_index_in_simdgroup()
  %on = icmp ult i32 %lane, %t
  br i1 %on, label %go, label %done
go:
  %first = icmp eq i32 %lane, 0
  %at = mul i32 %t, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  %square = mul i32 %lane, %lane
  %value = select i1 %first, i32 25, i32 %square
  store i32 %value, ptr addrspace(1) %to
  br label %done
done:
  ret void
}
