// A spin lock of relaxed atomics also orders what it guards.
//
// RUN: bsm-msl %s -o %t.ll
// RUN: bsm-msl %s --reflection -o %t.json
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel locked --group 64,1,1 --complete | FileCheck %s

#include <metal_stdlib>
using namespace metal;

// CHECK-LABEL: .entry bsm_locked
// CHECK: atom.global.exch.b32
// CHECK: fence.acq_rel.gpu
// CHECK: ld.global
// CHECK: st.global
// CHECK: fence.acq_rel.gpu
// CHECK: st.{{.*}}, 0;
// CHECK-NOT: bsm.reconverge
//
// Outside of such a loop the order is the one in the source.
// CHECK: bra.uni
// CHECK-NOT: fence
// CHECK: atom.global.add.u32
kernel void locked(device atomic_uint *lock [[buffer(0)]], device uint *sum [[buffer(1)]],
                   device atomic_uint *count [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  while (true) {
    if (atomic_exchange_explicit(lock, 1u, memory_order_relaxed) == 0u) {
      *sum += i;
      atomic_store_explicit(lock, 0u, memory_order_relaxed);
      break;
    }
  }
  atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
}
