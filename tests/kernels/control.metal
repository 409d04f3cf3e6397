// Control flow that optimisation or divergence makes hard: what leaves a loop
// by several edges, loops without an end, parts of a simdgroup without lanes.
#include <metal_stdlib>
using namespace metal;

// Whether `wanted` stands in front of the first negative number, searched in
// a loop that threads leave together at the top and one by one at the bottom.
static int find(device const int *ints, int wanted) {
  int k = 0;
  do {
    if (ints[k] < 0)
      return 1;
    ++k;
  } while (ints[k] != wanted);
  return 2;
}

// How a thread left the loop, over a barrier.
kernel void found_over_barrier(device const int *ints [[buffer(0)]],
                               device int *out [[buffer(1)]],
                               uint t [[thread_index_in_threadgroup]],
                               uint i [[thread_position_in_grid]]) {
  threadgroup int seen[64];
  int how = find(ints, int(t));
  seen[t] = how;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = 10 * how + seen[(t + 1) % 64];
}

// Which of two ways out an inner loop took decides about the outer one.
kernel void nested_exits(device const int *ints [[buffer(0)]],
                         device int *out [[buffer(1)]],
                         uint t [[thread_index_in_threadgroup]],
                         uint i [[thread_position_in_grid]]) {
  int found = 0;
  while (find(ints, int(t) + found) == 2)
    ++found;
  out[i] = found;
}

// Nobody gets to the loop that never ends.
kernel void endless(device const int *ints [[buffer(0)]],
                    device int *out [[buffer(1)]],
                    device atomic_int *counter [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  int value = ints[i];
  if (value > 100) {
    out[i] = 1;
    if (value > 1000)
      while (true)
        atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
  } else if (value < -100) {
    out[i] = 2;
  }
}

// In the first simdgroup no thread does it.
kernel void later_simdgroups(device const int *ints [[buffer(0)]],
                             device int *out [[buffer(1)]],
                             uint t [[thread_index_in_threadgroup]],
                             uint lane [[thread_index_in_simdgroup]],
                             uint i [[thread_position_in_grid]]) {
  if (lane < t)
    out[i] = max(int(lane), 5) * ints[i];
}

// The upper half of products, of 16-bit integers in 64 bits.
kernel void high_products(device const short *a [[buffer(0)]],
                          device const short *b [[buffer(1)]],
                          device long *out [[buffer(2)]],
                          device ulong *unsignedOut [[buffer(3)]],
                          uint i [[thread_position_in_grid]]) {
  short high = short((long(a[i]) * long(b[i])) >> 16);
  out[i] = short((long(a[i]) * long(high)) >> 16) * 31L;
  unsignedOut[i] = ulong(long(a[i]) * long(b[i])) >> 16;
}

// What a loop leaves, which some threads do not enter, over a barrier.
kernel void left_over_barrier(device const int *ints [[buffer(0)]],
                              device float *out [[buffer(1)]],
                              uint threads [[threads_per_threadgroup]],
                              uint simdgroup [[simdgroup_index_in_threadgroup]],
                              uint i [[thread_position_in_grid]]) {
  threadgroup float matrices[2048];
  float left = 0.5f;
  for (int k = 0, end = ints[i] & 7; k < end; ++k)
    left = 3.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if ((threads & 31u) == 0) {
    simdgroup_matrix<float, 8, 8> a(1), b(2), c(3);
    simdgroup_multiply_accumulate(c, a, b, c);
    simdgroup_store(c, matrices + 64 * simdgroup, 8);
  }
  out[i] = left;
}
