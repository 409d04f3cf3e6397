; A loop that waits for shared memory keeps what stands in its braces in front of
; its single latch; other loops with atomics stay as they are.
; RUN: bsm-cpu %s --kernel=lock --group=64 --stop-after=prepare | FileCheck %s --check-prefix=LOCK
; RUN: bsm-cpu %s --kernel=count --group=64 --stop-after=prepare | FileCheck %s --check-prefix=COUNT
; RUN: bsm-cpu %s --kernel=lock --group=64 --stop-after=structurise | FileCheck %s --check-prefix=GONE

; The release comes before the latch, although the loop is left behind it.
; LOCK-LABEL: define internal void @lock.scalar
; LOCK: atomicrmw xchg
; LOCK: br i1 %{{.*}}, label %[[TAKEN:.*]], label %[[LATCH:.*]]
; LOCK: [[TAKEN]]:
; LOCK: store atomic i32 0
; LOCK: br label %[[LATCH]]
; LOCK: [[LATCH]]:
; LOCK: call void @bsm.cpu.reconverge()
; LOCK: br i1
; GONE-LABEL: define internal void @lock.scalar
; GONE-NOT: call void @bsm.cpu.reconverge
define void @lock(ptr addrspace(1) %lock, ptr addrspace(1) %data) {
entry:
  br label %loop
loop:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 monotonic
  %free = icmp eq i32 %old, 0
  br i1 %free, label %taken, label %again
taken:
  %value = load i32, ptr addrspace(1) %data
  %more = add i32 %value, 1
  store i32 %more, ptr addrspace(1) %data
  store atomic i32 0, ptr addrspace(1) %lock monotonic, align 4
  br label %end
again:
  br label %loop
end:
  ret void
}

; COUNT-LABEL: define internal void @count.scalar
; COUNT-NOT: call void @bsm.cpu.reconverge
; COUNT: ret void
define void @count(ptr addrspace(1) %counts, ptr addrspace(1) %keys) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %keys, i64 %k
  %key = load i32, ptr addrspace(1) %place
  %index = zext i32 %key to i64
  %count = getelementptr i32, ptr addrspace(1) %counts, i64 %index
  %old = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  %next = add i64 %k, 1
  %stay = icmp ult i64 %next, 1000
  br i1 %stay, label %loop, label %end
end:
  ret void
}
