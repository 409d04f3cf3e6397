; Two chunks: a region on either side of the barrier. What crosses it lies in
; the context; addresses are computed again, lanes that returned stay away.
; RUN: bsm-cpu %s --group=64 --lanes=32 --stop-after=regions | FileCheck %s
; One chunk: the barrier is only an ordering point.
; RUN: bsm-cpu %s --group=64 --lanes=64 --stop-after=regions | FileCheck %s --check-prefix=ONE

@tile = internal addrspace(3) global [64 x float] undef

declare i32 @bsm.thread_index_in_threadgroup()
declare void @bsm.threadgroup_barrier(i32)

; ONE: define internal void @k.scalar(
; ONE: call void @bsm.threadgroup_barrier
; ONE-NOT: @k.scalar.r1

; CHECK: define internal void @k.scalar.r0(
; CHECK: store i32 1, ptr %[[FLAG:.*]], align 4
; CHECK: store float %{{.*}}, ptr %{{.*}}
; CHECK: store i32 1, ptr %context
; CHECK: store i32 0, ptr %[[FLAG]]

; CHECK: define internal void @k.scalar.r1(
; CHECK: %present = load i32
; CHECK-NOT: store i32
; CHECK: load float
; CHECK-NOT: @bsm.threadgroup_barrier
; CHECK: fadd float
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %t
  %value = load float, ptr addrspace(1) %from
  %early = fcmp olt float %value, 0.0
  br i1 %early, label %done, label %go
go:
  %mine = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float %value, ptr addrspace(3) %mine
  call void @bsm.threadgroup_barrier(i32 2)
  %last = sub i32 63, %t
  %other = getelementptr float, ptr addrspace(3) @tile, i32 %last
  %theirs = load float, ptr addrspace(3) %other
  %sum = fadd float %value, %theirs
  %to = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %sum, ptr addrspace(1) %to
  br label %done
done:
  ret void
}
