; The lanes that stay in a loop: words where the target has no mask registers.
; RUN: bsm-cpu %s --group=32 --part-lanes=8 --cpu=x86-64-v3 --stop-after=cleanup | FileCheck %s
; RUN: bsm-cpu %s --group=32 --part-lanes=8 --cpu=x86-64-v4 --stop-after=cleanup | FileCheck %s --check-prefix=REGISTERS

declare i32 @bsm.thread_index_in_threadgroup()

; REGISTERS: phi <8 x i1>
; REGISTERS-NOT: phi <8 x i32> {{.*}}sext
; CHECK-NOT: phi <8 x i1>
; CHECK: sext <8 x i1> %{{.*}} to <8 x i32>
; CHECK: %[[LIVE:.*]] = phi <8 x i32>
; CHECK: icmp slt <8 x i32> %[[LIVE]], zeroinitializer
; CHECK-NOT: phi <8 x i1>
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %t
  %x = load float, ptr addrspace(1) %from
  br label %loop
loop:
  %y = phi float [ %x, %entry ], [ %z, %loop ]
  %z = fmul float %y, 2.0
  %again = fcmp olt float %z, 100.0
  br i1 %again, label %loop, label %done
done:
  %to = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %z, ptr addrspace(1) %to
  ret void
}
