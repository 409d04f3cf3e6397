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
kernel void locked(device atomic_uint *lock [[buffer(0)]], device uint *sum [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  while (true) {
    if (atomic_exchange_explicit(lock, 1u, memory_order_relaxed) == 0u) {
      *sum += i;
      atomic_store_explicit(lock, 0u, memory_order_relaxed);
      break;
    }
  }
}

// What unlocks may stand behind the loop.
//
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel behind --group 64,1,1 --complete | FileCheck %s --check-prefix=BEHIND
// BEHIND-LABEL: .entry bsm_behind
// BEHIND: st.global
// BEHIND: fence.acq_rel.gpu
// BEHIND-NEXT: {{.*}}st.relaxed{{.*}}, 0;
kernel void behind(device atomic_uint *lock [[buffer(0)]], device uint *sum [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  for (;;) {
    bool taken = atomic_exchange_explicit(lock, 1u, memory_order_relaxed) == 0u;
    if (taken) {
      *sum += i;
      atomic_store_explicit(lock, 0u, memory_order_relaxed);
    }
    if (taken)
      break;
  }
}

// No lock: the value is computed from the old one.
//
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel update --group 64,1,1 --complete | FileCheck %s --check-prefix=UPDATE
// UPDATE-LABEL: .entry bsm_update
// UPDATE-NOT: fence
// UPDATE: ret;
kernel void update(device atomic_uint *product [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint old = atomic_load_explicit(product, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(product, &old, old * 3 + i, memory_order_relaxed,
                                                memory_order_relaxed))
    ;
}
