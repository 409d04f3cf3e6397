; Loops that choose the elements of a small private array are unrolled, so that
; the elements are values; other loops and larger arrays stay.
; RUN: bsm-cpu %s --kernel=small --group=64 --stop-after=prepare | FileCheck %s --check-prefix=SMALL
; RUN: bsm-cpu %s --kernel=large --group=64 --stop-after=prepare | FileCheck %s --check-prefix=LARGE
; SMALL: define {{.*}}@small.scalar(
; SMALL-NOT: alloca
; SMALL-COUNT-8: fadd
; SMALL-NOT: fadd
; LARGE: define {{.*}}@large.scalar(
; LARGE: alloca [64 x float]
; LARGE-COUNT-1: fadd

declare i32 @bsm.thread_position_in_grid.x()

define void @small(ptr addrspace(1) %io) {
entry:
  %array = alloca [8 x float]
  %t = call i32 @bsm.thread_position_in_grid.x()
  %row = mul i32 %t, 8
  br label %read

read:
  %i = phi i32 [ 0, %entry ], [ %i1, %read ]
  %at = add i32 %row, %i
  %p = getelementptr float, ptr addrspace(1) %io, i32 %at
  %x = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr %array, i32 %i
  store float %x, ptr %q
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 8
  br i1 %more, label %read, label %write

write:
  %j = phi i32 [ 0, %read ], [ %j1, %write ]
  %r = getelementptr float, ptr %array, i32 %j
  %y = load float, ptr %r
  %z = fadd float %y, 1.0
  %back = sub i32 %row, %j
  %s = getelementptr float, ptr addrspace(1) %io, i32 %back
  store float %z, ptr addrspace(1) %s
  %j1 = add i32 %j, 1
  %again = icmp ult i32 %j1, 8
  br i1 %again, label %write, label %end

end:
  ret void
}

define void @large(ptr addrspace(1) %io) {
entry:
  %array = alloca [64 x float]
  %t = call i32 @bsm.thread_position_in_grid.x()
  %row = mul i32 %t, 64
  br label %read

read:
  %i = phi i32 [ 0, %entry ], [ %i1, %read ]
  %at = add i32 %row, %i
  %p = getelementptr float, ptr addrspace(1) %io, i32 %at
  %x = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr %array, i32 %i
  store float %x, ptr %q
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 64
  br i1 %more, label %read, label %write

write:
  %j = phi i32 [ 0, %read ], [ %j1, %write ]
  %r = getelementptr float, ptr %array, i32 %j
  %y = load float, ptr %r
  %z = fadd float %y, 1.0
  %back = sub i32 %row, %j
  %s = getelementptr float, ptr addrspace(1) %io, i32 %back
  store float %z, ptr addrspace(1) %s
  %j1 = add i32 %j, 1
  %again = icmp ult i32 %j1, 64
  br i1 %again, label %write, label %end

end:
  ret void
}

