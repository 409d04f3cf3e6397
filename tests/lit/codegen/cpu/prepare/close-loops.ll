; A loop that waits for shared memory, or in which lanes take part in turns, keeps
; what stands in its braces in front of its single latch; others stay as they are.
; RUN: bsm-cpu %s --kernel=lock --group=64 --stop-after=prepare | FileCheck %s --check-prefix=LOCK
; RUN: bsm-cpu %s --kernel=count --group=64 --stop-after=prepare | FileCheck %s --check-prefix=COUNT
; RUN: bsm-cpu %s --kernel=lock --group=64 --stop-after=structurise | FileCheck %s --check-prefix=GONE

; RUN: bsm-cpu %s --kernel=turns --group=64 --stop-after=prepare | FileCheck %s --check-prefix=TURNS
; RUN: bsm-cpu %s --kernel=counted --group=64 --stop-after=prepare | FileCheck %s --check-prefix=COUNTED
; RUN: bsm-cpu %s --kernel=together --group=64 --stop-after=prepare | FileCheck %s --check-prefix=TOGETHER

; The release comes before the latch, although the loop is left behind it.
; LOCK-LABEL: define internal void @lock.scalar
; LOCK: atomicrmw xchg
; LOCK: br i1 %{{.*}}, label %[[TAKEN:.*]], label %[[LATCH:.*]]
; LOCK: [[TAKEN]]:
; LOCK: store atomic i32 0
; LOCK: br label %[[LATCH]]
; LOCK: [[LATCH]]:
; LOCK: call void @bsm.reconverge(i32 1)
; LOCK: br i1
; GONE-LABEL: define internal void @lock.scalar
; GONE-NOT: call void @bsm.reconverge
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
; COUNT-NOT: call void @bsm.reconverge
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

; The sum in front of the way out sees the lanes of its turn.
; TURNS-LABEL: define internal void @turns.scalar
; TURNS: call i32 @bsm.shuffle.b32
; TURNS: br i1 %{{.*}}, label %[[TAKEN:.*]], label %[[LATCH:.*]]
; TURNS: [[TAKEN]]:
; TURNS: call i32 @bsm.simd_sum.i32
; TURNS: br label %[[LATCH]]
; TURNS: [[LATCH]]:
; TURNS: call void @bsm.reconverge(i32 2)
; TURNS: br i1
define void @turns(ptr addrspace(1) %keys, ptr addrspace(1) %out) {
entry:
  %i = call i32 @bsm.thread_position_in_grid.x()
  %wide = zext i32 %i to i64
  %place = getelementptr i32, ptr addrspace(1) %keys, i64 %wide
  %key = load i32, ptr addrspace(1) %place
  %result = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  br label %loop
loop:
  %other = call i32 @bsm.shuffle.b32(i32 %key, i32 %key)
  %mine = icmp eq i32 %other, %key
  br i1 %mine, label %taken, label %again
taken:
  %sum = call i32 @bsm.simd_sum.i32(i32 1)
  store i32 %sum, ptr addrspace(1) %result
  br label %end
again:
  br label %loop
end:
  ret void
}

; Its atomic does not make it a loop that waits: nothing reads what it counts.
; COUNTED-LABEL: define internal void @counted.scalar
; COUNTED: atomicrmw add
; COUNTED: call void @bsm.reconverge(i32 2)
define void @counted(ptr addrspace(1) %keys, ptr addrspace(1) %out, ptr addrspace(1) %count) {
entry:
  %i = call i32 @bsm.thread_position_in_grid.x()
  %wide = zext i32 %i to i64
  %place = getelementptr i32, ptr addrspace(1) %keys, i64 %wide
  %key = load i32, ptr addrspace(1) %place
  %result = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  br label %loop
loop:
  %other = call i32 @bsm.shuffle.b32(i32 %key, i32 %key)
  %mine = icmp eq i32 %other, %key
  br i1 %mine, label %taken, label %again
taken:
  %sum = call i32 @bsm.simd_sum.i32(i32 1)
  store i32 %sum, ptr addrspace(1) %result
  %old = atomicrmw add ptr addrspace(1) %count, i32 %sum monotonic
  br label %end
again:
  br label %loop
end:
  ret void
}

; The sum is behind the loop: all lanes take part.
; TOGETHER-LABEL: define internal void @together.scalar
; TOGETHER-NOT: call void @bsm.reconverge
; TOGETHER: ret void
define void @together(ptr addrspace(1) %keys, ptr addrspace(1) %out) {
entry:
  %i = call i32 @bsm.thread_position_in_grid.x()
  %wide = zext i32 %i to i64
  %place = getelementptr i32, ptr addrspace(1) %keys, i64 %wide
  %key = load i32, ptr addrspace(1) %place
  %result = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %k, %key
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %end
end:
  %sum = call i32 @bsm.simd_sum.i32(i32 %next)
  store i32 %sum, ptr addrspace(1) %result
  ret void
}

declare i32 @bsm.thread_position_in_grid.x()
declare i32 @bsm.shuffle.b32(i32, i32)
declare i32 @bsm.simd_sum.i32(i32)
