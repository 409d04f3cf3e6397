; RUN: bsm-region %s --group=256,1,1 --lanes=32 | FileCheck %s

declare i32 @bsm.thread_index_in_threadgroup()

; What lanes brought to a join is gone at the next visit: nothing but the counter
; is carried around the loop, and nothing but the value behind its own branch.
; CHECK-LABEL: define internal i32 @again.all
; CHECK: loop:
; CHECK-NEXT: phi i32
; CHECK-NOT: phi
; CHECK: some:
; CHECK: some{{[0-9]+}}:
; CHECK: next{{[0-9]+}}:
; CHECK-COUNT-4: phi <8 x i32>
; CHECK-NOT: phi
; CHECK: ret i32 0
define void @again(ptr %a, ptr %count, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %i
  %n = load i32, ptr %count
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load i32, ptr %p
  %c = icmp eq i32 %x, %k
  br i1 %c, label %outer, label %latch
outer:
  %y = load i32, ptr %count
  %d = icmp eq i32 %x, %y
  br i1 %d, label %inner, label %join
inner:
  %z = load volatile i32, ptr %count
  br label %join
join:
  %v = phi i32 [ %z, %inner ], [ %x, %outer ]
  store i32 %v, ptr %p
  br label %latch
latch:
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
