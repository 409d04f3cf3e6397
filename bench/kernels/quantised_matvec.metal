#include <metal_stdlib>
using namespace metal;

// Row x vector with 4-bit weights: 4096 columns, eight a word, one scale for 32
// of them. One threadgroup of 64 threads a row.
kernel void quantised_matvec(device const uint *weights [[buffer(0)]],
                             device const half *scales [[buffer(1)]],
                             device const float *x [[buffer(2)]],
                             device float *out [[buffer(3)]],
                             uint row [[threadgroup_position_in_grid]],
                             uint l [[thread_index_in_threadgroup]]) {
  threadgroup float partial[64];
  float sum = 0;
  for (uint i = l; i < 512; i += 64) {
    uint word = weights[row * 512 + i];
    float scale = scales[row * 128 + (i >> 2)];
    float part = 0;
    for (uint j = 0; j < 8; j++)
      part += float(int((word >> (4 * j)) & 15) - 8) * x[i * 8 + j];
    sum += part * scale;
  }
  partial[l] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 32; s > 0; s >>= 1) {
    if (l < s)
      partial[l] += partial[l + s];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (l == 0)
    out[row] = partial[0];
}
