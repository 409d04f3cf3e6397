// Cross-lane operations name the lanes that are together: all of them under
// uniform control flow, those of a ballot where lanes part.
//
// RUN: bsm-msl %s -o %t.ll
// RUN: bsm-msl %s --reflection -o %t.json
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel uniform --group 64,1,1 --complete | FileCheck %s --check-prefix=UNIFORM
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel uniform --group 64,1,1 | FileCheck %s --check-prefix=EDGE
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel endless --group 64,1,1 --complete --stop-after lanes | FileCheck %s --check-prefix=ENDLESS
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel divergent --group 64,1,1 --complete --stop-after lanes | FileCheck %s --check-prefix=DIVERGENT

#include <metal_stdlib>
using namespace metal;

// UNIFORM-LABEL: .entry bsm_uniform
// UNIFORM-NOT: vote.sync
// UNIFORM: shfl.sync.bfly.b32 {{.*}}, 16, 31, -1;
// UNIFORM: shfl.sync.bfly.b32 {{.*}}, 8, 31, -1;
// UNIFORM: shfl.sync.bfly.b32 {{.*}}, 4, 31, -1;
// UNIFORM: shfl.sync.bfly.b32 {{.*}}, 2, 31, -1;
// UNIFORM: shfl.sync.bfly.b32 {{.*}}, 1, 31, -1;
// UNIFORM: redux.sync.min.s32
// UNIFORM: shfl.sync.up.b32 {{.*}}, 16, 0, -1;
// UNIFORM: vote.sync.ballot.b32
// UNIFORM: bar.warp.sync {{ *}}-1;
//
// The last simdgroup may have fewer lanes: the mask is known at the entry.
// EDGE-LABEL: .entry bsm_uniform
// EDGE: setp.lt.u32
// EDGE: shfl.sync.idx.b32
kernel void uniform(device float *x [[buffer(0)]], device int *y [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  x[i] = simd_sum(x[i]);
  y[i] = simd_min(y[i]) + simd_prefix_inclusive_sum(y[i]) +
         int(ulong(simd_ballot(y[i] > 3)));
  simdgroup_barrier(mem_flags::mem_device);
}

// DIVERGENT-LABEL: define {{.*}}void @divergent
// DIVERGENT: %[[SOME:.*]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1
// DIVERGENT: call i32 @llvm.nvvm.redux.sync.add(i32 %{{.*}}, i32 %[[SOME]])
// DIVERGENT: %[[LOOP:.*]] = phi i32 [ %{{active.*}}, %{{.*}} ], [ %[[NEXT:active.*]], %{{.*}} ]
// DIVERGENT: call i32 @llvm.nvvm.redux.sync.umax(i32 %{{.*}}, i32 %[[LOOP]])
// DIVERGENT: %[[NEXT]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 %[[LOOP]], i1
// DIVERGENT: call i32 @llvm.nvvm.redux.sync.xor(i32 %{{.*}}, i32 -1)
kernel void divergent(device uint *x [[buffer(0)]],
                      uint i [[thread_position_in_grid]]) {
  uint value = x[i];
  if (value & 1)
    value = simd_sum(value);
  for (uint k = 0; k < (i & 7); ++k)
    value += simd_max(value + k);
  x[i] = simd_xor(value);
}

// Also where some lanes never leave a loop.
// ENDLESS-LABEL: define {{.*}}void @endless
// ENDLESS-NOT: activemask
// ENDLESS-DAG: %[[SIDE:.*]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1
// ENDLESS-DAG: %{{.*}} = call i32 @llvm.nvvm.vote.ballot.sync(i32 %[[SIDE]], i1
// ENDLESS: ret void
kernel void endless(device atomic_int *x [[buffer(0)]],
                    uint i [[thread_position_in_grid]]) {
  if (i & 1)
    while (true) {
      int v = atomic_load_explicit(x, memory_order_relaxed);
      if (v > int(i))
        atomic_fetch_add_explicit(x + 1, simd_sum(v), memory_order_relaxed);
    }
  atomic_fetch_add_explicit(x, simd_sum(int(i)), memory_order_relaxed);
}
