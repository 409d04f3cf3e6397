; A tree reduction (of sorts) of known length in a group of one chunk becomes its steps.
; RUN: bsm-cpu %s --group=64 --lanes=64 --stop-after=regions | FileCheck %s
; With several chunks every step would be a region of its own, so it stays.
; RUN: bsm-cpu %s --group=64 --lanes=32 --stop-after=regions | FileCheck %s --check-prefix=LOOP

@tile = internal addrspace(3) global [64 x i32] undef

declare i32 @bsm.thread_index_in_threadgroup()
declare void @bsm.threadgroup_barrier(i32)

; CHECK: define internal void @k.scalar(
; CHECK-COUNT-8: call void @bsm.threadgroup_barrier
; CHECK-NOT: call void @bsm.threadgroup_barrier
; CHECK: ret void

; LOOP: define internal void @k.scalar.r1(
; LOOP-NOT: define internal void @k.scalar.r2(
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %mine = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  br label %loop
loop:
  %s = phi i32 [ 256, %entry ], [ %half, %next ]
  %on = icmp ult i32 %t, %s
  br i1 %on, label %add, label %next
add:
  %u = add i32 %t, %s
  %other = getelementptr i32, ptr addrspace(3) @tile, i32 %u
  %x = load i32, ptr addrspace(3) %mine
  %y = load i32, ptr addrspace(3) %other
  %a = mul i32 %x, %y
  %b = xor i32 %a, %s
  %c = mul i32 %b, %x
  %d = xor i32 %c, %y
  %e = mul i32 %d, %a
  %f = xor i32 %e, %b
  %g = mul i32 %f, %c
  %sum = add i32 %g, %y
  store i32 %sum, ptr addrspace(3) %mine
  br label %next
next:
  call void @bsm.threadgroup_barrier(i32 2)
  %half = lshr i32 %s, 1
  %more = icmp ugt i32 %half, 1
  br i1 %more, label %loop, label %done
done:
  ret void
}
