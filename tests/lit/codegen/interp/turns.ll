; The first thread waits for what the last one, of another simdgroup, writes.
; RUN: bsm-interp %s --kernel wait --threads 40 --group 40 --buffer 0=zeros:8 \
; RUN:   --print 0=u32 | FileCheck %s
; CHECK: 7 5
target datalayout = "e-p:64:64"

declare i32 @bsm.thread_index_in_threadgroup()

define void @wait(ptr addrspace(1) %flag) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %loop, label %other
loop:
  %seen = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %set = icmp eq i32 %seen, 7
  br i1 %set, label %done, label %loop
done:
  %result = getelementptr i32, ptr addrspace(1) %flag, i64 1
  store i32 5, ptr addrspace(1) %result
  br label %end
other:
  %last = icmp eq i32 %t, 39
  br i1 %last, label %write, label %end
write:
  store atomic i32 7, ptr addrspace(1) %flag monotonic, align 4
  br label %end
end:
  ret void
}
