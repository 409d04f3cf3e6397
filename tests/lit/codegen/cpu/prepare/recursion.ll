; RUN: not bsm-cpu %s --kernel=k --group=32 --stop-after=prepare 2>&1 | FileCheck %s
; CHECK: error: kernel 'k' calls 'fib' recursively. Compiled kernels have no call stack

define internal i32 @fib(i32 %n) {
  %small = icmp ult i32 %n, 2
  br i1 %small, label %leaf, label %more
leaf:
  ret i32 %n
more:
  %n1 = sub i32 %n, 1
  %n2 = sub i32 %n, 2
  %a = call i32 @fib(i32 %n1)
  %b = call i32 @fib(i32 %n2)
  %sum = add i32 %a, %b
  ret i32 %sum
}

define void @k(ptr addrspace(1) %out) {
  %n = load i32, ptr addrspace(1) %out
  %r = call i32 @fib(i32 %n)
  store i32 %r, ptr addrspace(1) %out
  ret void
}
