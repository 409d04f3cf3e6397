#include <metal_stdlib>
using namespace metal;

// A butterfly sum over the simdgroup and a vote on it.
kernel void xor_shuffle_ballot(device const float *in [[buffer(0)]],
                               device float *out [[buffer(1)]],
                               uint i [[thread_position_in_grid]]) {
  float x = in[i], sum = x;
  for (ushort mask = 16; mask > 0; mask >>= 1)
    sum += simd_shuffle_xor(sum, mask);
  ulong above = ulong(simd_ballot(x > sum * (1.0f / 32)));
  out[i] = x - sum + float(popcount(uint(above)));
}
