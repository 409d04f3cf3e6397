; RUN: bsm-region %s --group=256,1,1 --lanes=32 | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()

; An unused sum at one address: one atomic a part.
; CHECK-LABEL: define internal i32 @total.all
; CHECK-COUNT-4: @llvm.vector.reduce.add.v8i32
; CHECK-LABEL: define internal i32 @counters.all
; CHECK: lane.head:
; CHECK: @llvm.cttz.i64
; CHECK: atomicrmw add ptr
define void @total(ptr %a, ptr %sum, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %old = atomicrmw add ptr %sum, i32 %x monotonic
  ret void
}
define void @counters(ptr %a, ptr %sum, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %j = zext i32 %x to i64
  %q = getelementptr i32, ptr %sum, i64 %j
  %old = atomicrmw add ptr %q, i32 1 monotonic
  ret void
}
