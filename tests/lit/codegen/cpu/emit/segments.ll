; Lanes that share a row: each segment is one access at an address of its own.
; RUN: bsm-region %s --group=32,1,1 --lanes=32 | FileCheck %s
; RUN: bsm-region %s --group=32,1,1 --lanes=32 --mask=index | FileCheck %s --check-prefix=MASKED

declare i32 @bsm.thread_index_in_threadgroup()

; Four rows of two lanes a part, each lane's two elements behind each other.
; CHECK-LABEL: define internal i32 @fragment.all
; CHECK: [[INDEX:%.*]] = extractelement <8 x i64> {{%.*}}, i64 0
; CHECK: [[ROW:%.*]] = getelementptr float, ptr %a, i64 [[INDEX]]
; CHECK: load <4 x float>, ptr [[ROW]], align 4
; CHECK: extractelement <8 x i64> {{%.*}}, i64 4
; CHECK: load <4 x float>
; CHECK-NOT: insertelement <8 x float>
; CHECK: store <4 x float>
; CHECK: ret i32 0
; The first lane of a segment may be off, and then its address is no one's.
; MASKED-LABEL: define internal i32 @fragment.masked
; MASKED-NOT: load <4 x float>
define void @fragment(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %row = lshr i32 %t, 1
  %odd = and i32 %t, 1
  %column = shl i32 %odd, 1
  %start = mul i32 %row, %gx
  %index = add i32 %start, %column
  %wide = zext i32 %index to i64
  %p = getelementptr float, ptr %a, i64 %wide
  %p1 = getelementptr i8, ptr %p, i64 4
  %x = load float, ptr %p
  %y = load float, ptr %p1
  store float %y, ptr %p
  store float %x, ptr %p1
  ret void
}
