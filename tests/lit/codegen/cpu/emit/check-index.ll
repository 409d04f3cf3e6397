; RUN: bsm-region %s --group=256,1,1 --lanes=32 | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()
declare void @bsm.check_index(i1, ptr, i32, i64)

; Consecutive indices: one scalar test of a chunk; lanes only in cold code.
; CHECK-LABEL: define internal i32 @consecutive.all
; CHECK: icmp ult i64 %{{.*}}, %extent
; CHECK: br i1 %{{.*}}, label %check.done, label %check.lanes, !prof
; CHECK: check.lanes:
; CHECK: icmp ult <8 x i64>
; CHECK: index.fault:
; CHECK: call void %{{.*}}(ptr %{{.*}}, ptr %tensor, i32 2, i64 %{{.*}}, i32 0)
; CHECK: ret i32 1
define void @consecutive(ptr %a, ptr %tensor, i64 %extent, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %in = icmp ult i64 %i, %extent
  call void @bsm.check_index(i1 %in, ptr %tensor, i32 2, i64 %i)
  %p = getelementptr float, ptr %a, i64 %i
  store float 1.0, ptr %p
  ret void
}
