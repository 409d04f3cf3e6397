; The default case is reached from two tests, and its value is a cast that costs
; nothing. Hoisted, LLVM 22's StructurizeCFG lost it on one of the ways.
; RUN: bsm-region %s --stop-after=structurise | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()

; CHECK-LABEL: define void @cases
; CHECK: %[[TWO:.*]] = icmp ne i32 %case, 2
; CHECK: %[[OTHERS:.*]] = select i1 %{{.*}}, i1 %[[TWO]], i1 %{{.*}}
; CHECK: select i1 %[[OTHERS]], i8 %cast, i8 7
define void @cases(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %address = getelementptr i32, ptr %a, i32 %t
  %old = load i32, ptr %address
  %case = and i32 %old, 7
  switch i32 %case, label %others [
    i32 2, label %two
    i32 4, label %join
    i32 5, label %five
  ]
two:
  br label %join
others:
  %cast = trunc i32 %old to i8
  br label %join
five:
  br label %join
join:
  %x = phi i32 [ 1, %others ], [ 1, %five ], [ 5, %two ], [ 5, %entry ]
  %y = phi i8 [ %cast, %others ], [ 7, %five ], [ 7, %two ], [ 7, %entry ]
  %z = phi i32 [ %old, %others ], [ %old, %five ], [ 1, %two ], [ %old, %entry ]
  %w = zext i8 %y to i32
  %xw = add i32 %x, %w
  %sum = add i32 %xw, %z
  store i32 %sum, ptr %address
  ret void
}
