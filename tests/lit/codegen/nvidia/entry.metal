// The launch ABI: parameters, edge groups, threadgroup memory.
//
// RUN: bsm-msl %s -o %t.ll
// RUN: bsm-msl %s --reflection -o %t.json
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel add --group 256,1,1 --complete | FileCheck %s --check-prefix=COMPLETE
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel add --group 256,1,1 | FileCheck %s --check-prefix=ROW
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel add | FileCheck %s --check-prefix=ANY
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel memory --group 64,1,1 --complete | FileCheck %s --check-prefix=MEMORY
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel memory --group 32,1,1 --complete | FileCheck %s --check-prefix=WARP
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel checked --group 32,1,1 --complete | FileCheck %s --check-prefix=CHECKED

#include <metal_stdlib>
using namespace metal;

// COMPLETE: .visible .entry bsm_add(
// COMPLETE-NEXT: .param .u64 .ptr .global
// COMPLETE-NEXT: .param .align 4 .b8 bsm_add_param_1[4],
// COMPLETE-NEXT: .param .u64 .ptr .global
// COMPLETE-NEXT: .param .align 8 .b8 bsm_add_param_3[184]
// COMPLETE: .reqntid 256, 1, 1
// COMPLETE-NOT: setp
// COMPLETE: ld.global.nc.b32
// COMPLETE: st.global.b32
//
// ROW: .reqntid 256, 1, 1
// ROW: setp
// ROW-NOT: rem.u32
//
// Two-dimensional groups that are cut number their threads anew.
// ANY: .maxntid 1024
// ANY: rem.u32
kernel void add(device float *x [[buffer(0)]], constant float &y [[buffer(1)]],
                constant float *z [[buffer(3)]],
                uint i [[thread_position_in_grid]]) {
  x[i] = x[i] + y + z[i];
}

// MEMORY: .extern .shared .align 16 .b8 bsm_threadgroup_memory[];
// MEMORY-LABEL: .entry bsm_memory
// MEMORY: .shared .align 4 .b8 {{.*}}[256];
// MEMORY: bar.sync 0;
// MEMORY: atom.global.add.u32
// MEMORY: atom.shared.max.u32
// WARP-LABEL: .entry bsm_memory
// WARP: bar.warp.sync
kernel void memory(device atomic_uint *count [[buffer(0)]],
                   device uint *out [[buffer(1)]],
                   threadgroup atomic_uint *local [[threadgroup(0)]],
                   uint l [[thread_index_in_threadgroup]]) {
  threadgroup uint tile[64];
  tile[l] = out[l];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(count, tile[63 - l], memory_order_relaxed);
  out[l] = atomic_fetch_max_explicit(local, l, memory_order_relaxed);
}

// CHECKED: .param .align 8 .b8 bsm_checked_param_0[120]
// CHECKED: setp
// CHECKED: call{{.*}}
// CHECKED: exit;
kernel void
checked(tensor<device float, dextents<int, 1>, tensor_handle> x [[buffer(0)]],
        uint i [[thread_position_in_grid]]) {
  x[i + 1] = 2;
}
