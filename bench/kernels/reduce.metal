#include <metal_stdlib>
using namespace metal;

// Each threadgroup of 256 threads sums 4096 elements.
kernel void reduce(device const float *in [[buffer(0)]],
                   device float *out [[buffer(1)]],
                   uint g [[threadgroup_position_in_grid]],
                   uint l [[thread_index_in_threadgroup]]) {
  threadgroup float partial[256];
  device const float *x = in + ulong(g) * 4096;
  float sum = 0;
  for (uint i = 0; i < 16; i++)
    sum += x[i * 256 + l];
  partial[l] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 128; s > 0; s >>= 1) {
    if (l < s)
      partial[l] += partial[l + s];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (l == 0)
    out[g] = partial[0];
}
