; RUN: bsm-region %s --group=256,1,1 --lanes=32 | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()

; A divergent branch: a version for all lanes behind a scalar test of the end
; points, then one under a mask, skipped without active lanes.
; CHECK-LABEL: define internal i32 @branch.all
; CHECK: add i32 %first, 31
; CHECK: icmp ult i32 %{{.*}}, %n
; CHECK: all:
; CHECK-NOT: masked.store
; CHECK: mixed:
; CHECK: bitcast <8 x i1> %{{.*}} to i8
; CHECK: @llvm.masked.store.v8i32

; A divergent loop: without masks while all lanes stay, then masked.
; CHECK-LABEL: define internal i32 @loop.all
; CHECK: masked.head:
; CHECK: phi <8 x i1>
; CHECK: all.stay:
; CHECK: some.leave:
; CHECK: masked.body:
; CHECK: select <8 x i1>

; A uniform branch stays a branch.
; CHECK-LABEL: define internal i32 @uniform.all
; CHECK-NOT: i1>
; CHECK: ret i32 0
define void @branch(ptr %a, i32 %n, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %inside = icmp ult i32 %t, %n
  br i1 %inside, label %then, label %done
then:
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 %t, ptr %p
  br label %done
done:
  ret void
}
define void @loop(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %i
  %end = load i32, ptr %p
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %head ]
  %s = phi i32 [ 0, %entry ], [ %sum, %head ]
  %next = add i32 %k, 1
  %square = mul i32 %s, %s
  %sum = add i32 %square, %k
  %more = icmp slt i32 %sum, %end
  br i1 %more, label %head, label %done
done:
  store i32 %sum, ptr %p
  ret void
}
define void @uniform(ptr %a, i32 %n, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %on = icmp ult i32 %gx, %n
  br i1 %on, label %then, label %done
then:
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 %t, ptr %p
  br label %done
done:
  ret void
}
