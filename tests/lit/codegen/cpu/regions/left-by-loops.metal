// What a loop computes for all threads alike, but not in all iterations, is kept
// for each thread over a barrier.
//
// RUN: bsm-msl %s -o %t.ll
// RUN: bsm-msl %s --reflection -o %t.json
// RUN: bsm-cpu %t.ll --reflection %t.json --kernel left --lanes=64 --stop-after=regions | FileCheck %s

#include <metal_stdlib>
using namespace metal;

// CHECK-LABEL: define internal void @left.index.r0
// CHECK-NOT: udiv i32 %first
// CHECK: store float %value
// CHECK-NOT: udiv i32 %first
// CHECK: ret void
kernel void left(device const int *ints [[buffer(0)]], device float *out [[buffer(1)]],
                 uint threads [[threads_per_threadgroup]],
                 uint simdgroup [[simdgroup_index_in_threadgroup]],
                 uint i [[thread_position_in_grid]]) {
  threadgroup float matrices[2048];
  float value = 0.5f;
  for (int k = 0, end = ints[i] & 7; k < end; ++k)
    value = 3.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if ((threads & 31u) == 0) {
    simdgroup_matrix<float, 8, 8> a(1), b(2), c(3);
    simdgroup_multiply_accumulate(c, a, b, c);
    simdgroup_store(c, matrices + 64 * simdgroup, 8);
  }
  out[i] = value;
}
