; Products of 16-bit integers are formed in 32 bits: x86 code for the shift of a
; wider one is wrong.
; RUN: bsm-cpu %s --group=8 --part-lanes=8 --stop-after=cleanup | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()

; CHECK-LABEL: define internal i32 @k.run
; CHECK: sext <8 x i16> %{{.*}} to <8 x i32>
; CHECK: %[[SIGNED:.*]] = mul <8 x i32>
; CHECK: %[[WIDE:.*]] = sext <8 x i32> %[[SIGNED]] to <8 x i64>
; CHECK: lshr <8 x i64> %[[WIDE]], splat (i64 16)
; CHECK: %[[UNSIGNED:.*]] = mul <8 x i32>
; CHECK: zext <8 x i32> %[[UNSIGNED]] to <8 x i64>
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out, ptr addrspace(1) %unsigned) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %pa = getelementptr i16, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr i16, ptr addrspace(1) %b, i64 %i
  %va = load i16, ptr addrspace(1) %pa
  %vb = load i16, ptr addrspace(1) %pb
  %sa = sext i16 %va to i64
  %sb = sext i16 %vb to i64
  %signed = mul i64 %sa, %sb
  %high = lshr i64 %signed, 16
  %to = getelementptr i64, ptr addrspace(1) %out, i64 %i
  store i64 %high, ptr addrspace(1) %to
  %za = zext i16 %va to i64
  %zb = zext i16 %vb to i64
  %product = mul i64 %za, %zb
  %tz = getelementptr i64, ptr addrspace(1) %unsigned, i64 %i
  store i64 %product, ptr addrspace(1) %tz
  ret void
}
