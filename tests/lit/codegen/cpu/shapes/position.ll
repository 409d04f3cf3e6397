; Positions in a group of two dimensions are tables of constants where the
; extent and the part divide each other.
; RUN: bsm-region %s --group=16,16,1 --lanes=256 --stop-after=shapes | FileCheck %s --check-prefix=WIDE
; RUN: bsm-region %s --group=4,8,1 --lanes=32 --stop-after=shapes | FileCheck %s --check-prefix=SMALL
; RUN: bsm-region %s --group=6,10,1 --lanes=64 --stop-after=shapes | FileCheck %s --check-prefix=ODD

declare i32 @bsm.thread_position_in_threadgroup.x()
declare i32 @bsm.thread_position_in_threadgroup.y()

; WIDE: %x: part-linear [0, 1, 2, 3, 4, 5, 6, 7] align 2^3
; WIDE: %y: part-uniform
; SMALL: %x: part-linear [0, 1, 2, 3, 0, 1, 2, 3] align 2^31
; SMALL: %y: part-linear [0, 0, 0, 0, 1, 1, 1, 1] align 2^1
; ODD: %x: varying
; ODD: %y: varying
define void @position(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %x = call i32 @bsm.thread_position_in_threadgroup.x()
  %y = call i32 @bsm.thread_position_in_threadgroup.y()
  %i = zext i32 %x to i64
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 %y, ptr %p
  ret void
}
