; RUN: bsm-region %s --group=64,1,1 --lanes=64 | FileCheck %s
; RUN: bsm-region %s --group=64,1,1 --lanes=64 --mask=index | FileCheck %s --check-prefix=MASKED

declare i32 @bsm.thread_index_in_threadgroup()
declare float @bsm.simd_sum.f32(float)
declare i32 @bsm.ballot(i1)
declare i32 @bsm.shuffle.b32(i32, i32)

; Lanes 16 apart are added first, so parts 0 and 2, then 8, 4, 2, 1.
; CHECK-LABEL: define internal i32 @sum.all
; CHECK: [[A:%.*]] = load <8 x float>
; CHECK: [[B:%.*]] = load <8 x float>
; CHECK: [[C:%.*]] = load <8 x float>
; CHECK: [[D:%.*]] = load <8 x float>
; CHECK: [[AC:%.*]] = fadd <8 x float> [[A]], [[C]]
; CHECK: [[BD:%.*]] = fadd <8 x float> [[B]], [[D]]
; CHECK: [[ABCD:%.*]] = fadd <8 x float> [[AC]], [[BD]]
; CHECK: fadd <4 x float>
; CHECK: fadd <2 x float>
; CHECK: fadd <1 x float>

; MASKED-LABEL: define internal i32 @sum.masked
; MASKED: select <8 x i1> %{{.*}}, <8 x float> %{{.*}}, <8 x float> splat (float -0.000000e+00)

; CHECK-LABEL: define internal i32 @ballot.all
; CHECK: bitcast <8 x i1> %{{.*}} to i8
; CHECK: shl i32 %{{.*}}, 8
; CHECK: or i32

; A neighbour by xor with a constant is one shuffle.
; CHECK-LABEL: define internal i32 @neighbour.all
; CHECK: shufflevector <8 x i32> %{{.*}}, <8 x i32> poison, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
; CHECK-NOT: alloca
; CHECK: ret i32 0
define void @sum(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p
  %s = call float @bsm.simd_sum.f32(float %x)
  store float %s, ptr %p
  ret void
}
define void @ballot(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %c = icmp sgt i32 %x, 0
  %s = call i32 @bsm.ballot(i1 %c)
  store i32 %s, ptr %p
  ret void
}
define void @neighbour(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %from = xor i32 %t, 1
  %s = call i32 @bsm.shuffle.b32(i32 %x, i32 %from)
  store i32 %s, ptr %p
  ret void
}

; Many elements of one vector, each for all lanes of a part: from memory.
; CHECK-LABEL: define internal i32 @broadcasts.all
; CHECK: %broadcast = alloca <8 x i32>, align 32
; CHECK: store <8 x i32> [[X:%.*]], ptr %broadcast, align 32
; CHECK: load i64, ptr %broadcast
; CHECK: shufflevector <4 x i64>
define void @broadcasts(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %odd = and i32 %t, 1
  %l1 = or disjoint i32 %odd, 2
  %l2 = or disjoint i32 %odd, 4
  %l3 = or disjoint i32 %odd, 6
  %x0 = call i32 @bsm.shuffle.b32(i32 %x, i32 %odd)
  %x1 = call i32 @bsm.shuffle.b32(i32 %x, i32 %l1)
  %x2 = call i32 @bsm.shuffle.b32(i32 %x, i32 %l2)
  %x3 = call i32 @bsm.shuffle.b32(i32 %x, i32 %l3)
  %s0 = add i32 %x0, %x1
  %s1 = add i32 %x2, %x3
  %s = add i32 %s0, %s1
  store i32 %s, ptr %p
  ret void
}
