; Which lanes meet at a cross-lane operation: ballots of 4 lanes.
; RUN: bsm-interp %s --kernel branches --threads 4 --group 4 --buffer 0=zeros:32 \
; RUN:   --print 0=u32 | FileCheck %s --check-prefix=BRANCHES
; RUN: bsm-interp %s --kernel loops --threads 4 --group 4 --buffer 0=zeros:32 \
; RUN:   --print 0=u32 | FileCheck %s --check-prefix=LOOPS
target datalayout = "e-p:64:64"

declare i32 @bsm.thread_index_in_threadgroup()
declare i32 @bsm.ballot(i1)

; Even and odd lanes vote apart, then all together behind the branch.
; BRANCHES: 5 10 5 10 15 15 15 15
define void @branches(ptr addrspace(1) %out) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %odd = trunc i32 %t to i1
  br i1 %odd, label %a, label %b
a:
  %x = call i32 @bsm.ballot(i1 true)
  br label %join
b:
  %y = call i32 @bsm.ballot(i1 true)
  br label %join
join:
  %vote = phi i32 [ %x, %a ], [ %y, %b ]
  %all = call i32 @bsm.ballot(i1 true)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %vote, ptr addrspace(1) %to
  %u = add i32 %t, 4
  %to2 = getelementptr i32, ptr addrspace(1) %out, i32 %u
  store i32 %all, ptr addrspace(1) %to2
  ret void
}

; Lane t runs t + 1 iterations and skips the ballot in iteration 1 if t is even;
; lanes that skipped must not meet the others in a later iteration. Ballots of
; iterations 0, 1, 2, 3: 1111, 1010, 1100, 1000; summed by the lanes that took
; part: 15, 15+10, 15+12, 15+10+12+8. Behind the loop: 15.
; LOOPS: 15 25 27 45 15 15 15 15
define void @loops(ptr addrspace(1) %out) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %odd = and i32 %t, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %sum2, %latch ]
  %second = icmp eq i32 %i, 1
  %even = icmp eq i32 %odd, 0
  %skips = and i1 %second, %even
  br i1 %skips, label %latch, label %vote
vote:
  %v = call i32 @bsm.ballot(i1 true)
  %sum1 = add i32 %sum, %v
  br label %latch
latch:
  %sum2 = phi i32 [ %sum, %loop ], [ %sum1, %vote ]
  %next = add i32 %i, 1
  %more = icmp ule i32 %next, %t
  br i1 %more, label %loop, label %done
done:
  %all = call i32 @bsm.ballot(i1 true)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %sum2, ptr addrspace(1) %to
  %u = add i32 %t, 4
  %to2 = getelementptr i32, ptr addrspace(1) %out, i32 %u
  store i32 %all, ptr addrspace(1) %to2
  ret void
}
