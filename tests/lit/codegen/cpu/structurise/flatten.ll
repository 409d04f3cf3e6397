; A loop that lanes leave in its middle, too, is one block: what follows the test
; is short and has no effect, so all lanes compute it.
; RUN: bsm-cpu %s --kernel=escape --group=64 --stop-after=structurise | FileCheck %s
; A load stays under its branch.
; RUN: bsm-cpu %s --kernel=guarded --group=64 --stop-after=structurise | FileCheck %s --check-prefix=GUARDED

declare i32 @bsm.thread_position_in_grid.x()

; CHECK: define internal void @escape.scalar(
; CHECK: head:
; CHECK: %grown = fmul float %x, %x
; CHECK: select i1 %inside, i32 100, i32 %n
; CHECK: %[[LEAVE:.*]] = select i1 %inside, i1 %last, i1 true
; CHECK: br i1 %[[LEAVE]], label %done, label %head
define void @escape(ptr addrspace(1) %io) {
entry:
  %t = call i32 @bsm.thread_position_in_grid.x()
  %at = getelementptr float, ptr addrspace(1) %io, i32 %t
  %start = load float, ptr addrspace(1) %at
  br label %head
head:
  %x = phi float [ %start, %entry ], [ %grown, %body ]
  %n = phi i32 [ 0, %entry ], [ %next, %body ]
  %inside = fcmp olt float %x, 4.0
  br i1 %inside, label %body, label %done
body:
  %grown = fmul float %x, %x
  %next = add nuw nsw i32 %n, 1
  %last = icmp eq i32 %next, 100
  br i1 %last, label %done, label %head
done:
  %steps = phi i32 [ %n, %head ], [ 100, %body ]
  %result = uitofp i32 %steps to float
  store float %result, ptr addrspace(1) %at
  ret void
}

; GUARDED: define internal void @guarded.scalar(
; GUARDED: br i1 %inside, label %[[BODY:.*]], label
; GUARDED: [[BODY]]:
; GUARDED: load float
define void @guarded(ptr addrspace(1) %io) {
entry:
  %t = call i32 @bsm.thread_position_in_grid.x()
  %at = getelementptr float, ptr addrspace(1) %io, i32 %t
  %inside = icmp ult i32 %t, 1000
  br i1 %inside, label %body, label %done
body:
  %x = load float, ptr addrspace(1) %at
  %twice = fadd float %x, %x
  store float %twice, ptr addrspace(1) %at
  br label %done
done:
  ret void
}
