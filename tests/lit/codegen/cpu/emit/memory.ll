; Which form an access takes.
; RUN: bsm-region %s --group=256,1,1 --lanes=32 | FileCheck %s
; RUN: bsm-region %s --group=256,1,1 --lanes=32 --mask=index | FileCheck %s --check-prefix=MASKED

declare i32 @bsm.thread_index_in_threadgroup()

; CHECK-LABEL: define internal i32 @consecutive.all
; CHECK-COUNT-4: load <8 x float>, ptr %{{.*}}, align 4
; CHECK-NOT: load <8 x float>
; CHECK-LABEL: define internal i32 @uniform.all
; CHECK-COUNT-1: load float, ptr %a
; CHECK-NOT: load float
; CHECK-LABEL: define internal i32 @gathered.all
; CHECK: extractelement <8 x ptr>
; CHECK: load float
; CHECK-LABEL: define internal i32 @pairs.all
; Halves of vectors, so that the shuffles are within 16 bytes.
; CHECK-COUNT-4: load <4 x float>
; CHECK: shufflevector {{.*}} <i32 0, i32 2, i32 8, i32 10, i32 4, i32 6, i32 12, i32 14>
; CHECK: shufflevector {{.*}} <i32 1, i32 3, i32 9, i32 11, i32 5, i32 7, i32 13, i32 15>
; CHECK-NOT: extractelement
; CHECK: ret i32 0

; MASKED-LABEL: define internal i32 @consecutive.masked
; MASKED: icmp ult <8 x i32>
; MASKED: none.active:
; MASKED: ret i32 0
; MASKED: @llvm.masked.load.v8f32
; MASKED: @llvm.masked.store.v8f32
; Each lane's pair under the lane's mask.
; MASKED-LABEL: define internal i32 @pairs.masked
; MASKED: shufflevector <8 x i1> {{.*}} <4 x i32> <i32 0, i32 0, i32 1, i32 1>
; MASKED: @llvm.masked.load.v4f32
; MASKED-NOT: extractelement
; MASKED-LABEL: define internal i32 @bytes.masked
; MASKED: load.whole:
; MASKED: load <8 x i8>
; MASKED: lane:
; MASKED: store i8
define void @consecutive(ptr %a, ptr %b, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr float, ptr %a, i64 %i
  %q = getelementptr float, ptr %b, i64 %i
  %x = load float, ptr %p
  store float %x, ptr %q
  ret void
}
define void @uniform(ptr %a, ptr %b, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %q = getelementptr float, ptr %b, i64 %i
  %x = load float, ptr %a
  store float %x, ptr %q
  ret void
}
define void @gathered(ptr %a, ptr %b, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %b, i64 %i
  %j = load i32, ptr %p
  %k = zext i32 %j to i64
  %q = getelementptr float, ptr %a, i64 %k
  %x = load float, ptr %q
  store float %x, ptr %p
  ret void
}
define void @pairs(ptr %a, ptr %b, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr {float, float}, ptr %a, i64 %i
  %p1 = getelementptr i8, ptr %p, i64 4
  %x = load float, ptr %p
  %y = load float, ptr %p1
  %s = fadd float %x, %y
  %q = getelementptr float, ptr %b, i64 %i
  store float %s, ptr %q
  ret void
}
define void @bytes(ptr %a, ptr %b, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i8, ptr %a, i64 %i
  %q = getelementptr i8, ptr %b, i64 %i
  %x = load i8, ptr %p
  store i8 %x, ptr %q
  ret void
}
