#include <metal_stdlib>
using namespace metal;

// One threadgroup of 256 threads a row.
kernel void softmax(device const float *in [[buffer(0)]],
                    device float *out [[buffer(1)]],
                    constant uint &columns [[buffer(2)]],
                    uint row [[threadgroup_position_in_grid]],
                    uint l [[thread_index_in_threadgroup]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint group [[simdgroup_index_in_threadgroup]]) {
  threadgroup float partial[8];
  device const float *x = in + ulong(row) * columns;
  device float *y = out + ulong(row) * columns;

  float largest = -INFINITY;
  for (uint i = l; i < columns; i += 256)
    largest = max(largest, x[i]);
  largest = simd_max(largest);
  if (lane == 0)
    partial[group] = largest;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  largest = partial[0];
  for (uint k = 1; k < 8; k++)
    largest = max(largest, partial[k]);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  float sum = 0;
  for (uint i = l; i < columns; i += 256) {
    float e = exp(x[i] - largest);
    y[i] = e;
    sum += e;
  }
  sum = simd_sum(sum);
  if (lane == 0)
    partial[group] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  sum = 0;
  for (uint k = 0; k < 8; k++)
    sum += partial[k];
  float scale = 1.0f / sum;
  for (uint i = l; i < columns; i += 256)
    y[i] *= scale;
}
