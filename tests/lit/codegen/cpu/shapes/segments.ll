; Where neighbouring lanes share a row whose length is known at run time only,
; addresses are linear within segments of lanes.
; RUN: bsm-region %s --group=32,1,1 --lanes=32 --stop-after=shapes | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()

; CHECK-LABEL: shapes of @fragment
; CHECK: %row: part-linear [0, 0, 1, 1, 2, 2, 3, 3]
; CHECK: %start: varying, segments of 2 [0, 0, 0, 0, 0, 0, 0, 0]
; CHECK: %index: varying, segments of 2 [0, 2, 0, 2, 0, 2, 0, 2]
; CHECK: %wide: varying, segments of 2 [0, 2, 0, 2, 0, 2, 0, 2]
; CHECK: %address: varying, segments of 2 [0, 8, 0, 8, 0, 8, 0, 8]
; CHECK: %walk: varying, segments of 2 [0, 8, 0, 8, 0, 8, 0, 8]
; CHECK: %wrapped: varying{{$}}
; CHECK: %square: varying{{$}}
define void @fragment(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %half = lshr i32 %t, 1
  %row = and i32 %half, 3
  %odd = and i32 %t, 1
  %column = shl i32 %odd, 1
  %start = mul i32 %row, %gx
  %index = add i32 %start, %column
  %wide = zext i32 %index to i64
  %address = getelementptr float, ptr %a, i64 %wide
  br label %loop

loop:
  %walk = phi ptr [ %address, %0 ], [ %next, %loop ]
  %k = phi i32 [ 0, %0 ], [ %more, %loop ]
  %x = load float, ptr %walk
  store float 0.0, ptr %walk
  %next = getelementptr i8, ptr %walk, i64 64
  %more = add i32 %k, 1
  %done = icmp eq i32 %more, %gy
  br i1 %done, label %end, label %loop

end:
  %wrapped = zext i32 %index to i64
  %square = mul i64 %wrapped, %wrapped
  %place = getelementptr i64, ptr %a, i64 %wide
  store i64 %square, ptr %place
  ret void
}
