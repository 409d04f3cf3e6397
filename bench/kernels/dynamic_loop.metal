#include <metal_stdlib>
using namespace metal;

// Each thread sums its own number of elements, 0 to 31.
kernel void dynamic_loop(device const float *in [[buffer(0)]],
                         device const uint *counts [[buffer(1)]],
                         device float *out [[buffer(2)]],
                         uint i [[thread_position_in_grid]]) {
  uint count = counts[i] & 31, first = i * 32;
  float sum = 0;
  for (uint k = 0; k < count; k++)
    sum += in[first + k];
  out[i] = sum;
}
