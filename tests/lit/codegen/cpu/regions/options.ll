; RUN: not bsm-cpu %s --group=2000 2>&1 | FileCheck %s --check-prefix=GROUP
; RUN: not bsm-cpu %s --group=64 --lanes=40 2>&1 | FileCheck %s --check-prefix=LANES
; RUN: not bsm-cpu %s --group=64 --cpu=nonsense 2>&1 | FileCheck %s --check-prefix=CPU
; GROUP: error: a threadgroup of 2000 x 1 x 1 threads; allowed are 1 to 1024
; LANES: error: lanes in flight 40; allowed are multiples of 32
; CPU: error: unknown CPU 'nonsense'

define void @k(ptr addrspace(1) %out) {
  store i32 1, ptr addrspace(1) %out
  ret void
}
