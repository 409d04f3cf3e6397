#include <metal_stdlib>
using namespace metal;

// One threadgroup of 256 threads a row, tree reduction in threadgroup memory.
kernel void rmsnorm(device const float *in [[buffer(0)]],
                    device const float *weight [[buffer(1)]],
                    device float *out [[buffer(2)]],
                    constant uint &columns [[buffer(3)]],
                    uint row [[threadgroup_position_in_grid]],
                    uint l [[thread_index_in_threadgroup]]) {
  threadgroup float partial[256];
  device const float *x = in + ulong(row) * columns;
  device float *y = out + ulong(row) * columns;

  float sum = 0;
  for (uint i = l; i < columns; i += 256)
    sum += x[i] * x[i];
  partial[l] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 128; s > 0; s >>= 1) {
    if (l < s)
      partial[l] += partial[l + s];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  float scale = 1.0f / sqrt(partial[0] / columns + 1e-5f);
  for (uint i = l; i < columns; i += 256)
    y[i] = x[i] * scale * weight[i];
}
