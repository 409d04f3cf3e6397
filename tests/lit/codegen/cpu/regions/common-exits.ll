; Threads that walk through a constant extent in steps of the group leave the
; loop together: it needs no masks. Not if the extent is no multiple of it.
; RUN: bsm-cpu %s --kernel=together --group=64 --complete-groups --stop-after=emit | FileCheck %s --check-prefix=TOGETHER
; RUN: bsm-cpu %s --kernel=signed --group=64 --complete-groups --stop-after=emit | FileCheck %s --check-prefix=TOGETHER
; RUN: bsm-cpu %s --kernel=together --group=32,3 --complete-groups --stop-after=emit | FileCheck %s --check-prefix=APART
; RUN: bsm-cpu %s --kernel=apart --group=64 --complete-groups --stop-after=emit | FileCheck %s --check-prefix=APART

declare i32 @bsm.thread_index_in_threadgroup()

; TOGETHER-NOT: masked.head
; TOGETHER: define internal i32 @{{.*}}.all(
; TOGETHER-NOT: masked.head
define void @together(ptr addrspace(1) %x) mustprogress {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %x, i32 %i
  store i32 %i, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 64
  %again = icmp ult i32 %i, 448
  br i1 %again, label %loop, label %done
done:
  ret void
}

; The extent goes from -128 to 127, the last one included.
define void @signed(ptr addrspace(1) %x) mustprogress {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %start = add nsw i32 %t, -128
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %x, i32 %i
  store i32 %i, ptr addrspace(1) %at
  %next = add nsw i32 %i, 64
  %behind = icmp sgt i32 %next, 127
  br i1 %behind, label %done, label %loop
done:
  ret void
}

; APART: masked.head
define void @apart(ptr addrspace(1) %x) mustprogress {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %x, i32 %i
  store i32 %i, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 64
  %again = icmp ult i32 %i, 500
  br i1 %again, label %loop, label %done
done:
  ret void
}
