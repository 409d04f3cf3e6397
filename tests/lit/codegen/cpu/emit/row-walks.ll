; Lanes that walk along rows of their own read a block of each row at once.
; RUN: bsm-region %s --group=64,1,1 --lanes=32 | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()

; CHECK-LABEL: define internal i32 @walk.all
; CHECK-DAG: %rows = alloca [32 x <8 x float>], align 32
; CHECK: [[START:%.*]] = and i64 {{.*}}, -32
; CHECK: icmp eq i64 [[START]],
; CHECK: row.read:
; CHECK-COUNT-64: load <4 x float>, ptr %{{.*}}, align 16
; CHECK: row.known:
; CHECK: [[STEP:%.*]] = lshr i64 %{{.*}}, 2
; CHECK: load <8 x float>, ptr {{.*}}, align 32
; CHECK-NOT: insertelement <8 x float>
; CHECK: ret i32 0
define void @walk(ptr %a, ptr %b, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %row = shl i32 %t, 5
  %start = zext i32 %row to i64
  %first0 = getelementptr float, ptr %a, i64 %start
  br label %loop

loop:
  %p = phi ptr [ %first0, %0 ], [ %next, %loop ]
  %k = phi i32 [ 0, %0 ], [ %more, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %added, %loop ]
  %x = load float, ptr %p
  %added = fadd float %sum, %x
  %next = getelementptr i8, ptr %p, i64 4
  %more = add i32 %k, 1
  %done = icmp eq i32 %more, %gy
  br i1 %done, label %end, label %loop

end:
  %i = zext i32 %t to i64
  %q = getelementptr float, ptr %b, i64 %i
  store float %added, ptr %q
  ret void
}

; What the loop writes may be what is read next.
; CHECK-LABEL: define internal i32 @written.all
; CHECK-NOT: row.read
define void @written(ptr %a, ptr %b, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %row = shl i32 %t, 5
  %start = zext i32 %row to i64
  %first0 = getelementptr float, ptr %a, i64 %start
  br label %loop

loop:
  %p = phi ptr [ %first0, %0 ], [ %next, %loop ]
  %k = phi i32 [ 0, %0 ], [ %more, %loop ]
  %x = load float, ptr %p
  store float %x, ptr %b
  %next = getelementptr i8, ptr %p, i64 4
  %more = add i32 %k, 1
  %done = icmp eq i32 %more, %gy
  br i1 %done, label %end, label %loop

end:
  ret void
}
