#include <metal_stdlib>
using namespace metal;

// Attention of `length` queries over as many keys, 64 elements each, one query a
// thread, 64 threads a group; the group walks the keys in tiles of 32 with a
// running softmax.
kernel void flash_attention(device const float *queries [[buffer(0)]],
                            device const float *keys [[buffer(1)]],
                            device const float *values [[buffer(2)]],
                            device float *out [[buffer(3)]],
                            constant uint &length [[buffer(4)]],
                            uint2 group [[threadgroup_position_in_grid]],
                            uint l [[thread_index_in_threadgroup]]) {
  threadgroup float tileK[32][64];
  threadgroup float tileV[32][64];
  uint query = group.x * 64 + l, base = group.y * length * 64;
  float sum[64], q[64];
  for (uint d = 0; d < 64; d++) {
    sum[d] = 0;
    q[d] = queries[base + query * 64 + d] * 0.125f;
  }
  float largest = -INFINITY, total = 0;
  for (uint t = 0; t < length; t += 32) {
    for (uint i = l; i < 2048; i += 64) {
      tileK[i >> 6][i & 63] = keys[base + t * 64 + i];
      tileV[i >> 6][i & 63] = values[base + t * 64 + i];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float score[32], tileLargest = largest;
    for (uint j = 0; j < 32; j++) {
      float u = 0;
      for (uint d = 0; d < 64; d++)
        u += q[d] * tileK[j][d];
      score[j] = u;
      tileLargest = max(tileLargest, u);
    }
    float rescale = exp(largest - tileLargest);
    largest = tileLargest;
    total *= rescale;
    for (uint d = 0; d < 64; d++)
      sum[d] *= rescale;
    for (uint j = 0; j < 32; j++) {
      float p = exp(score[j] - largest);
      total += p;
      for (uint d = 0; d < 64; d++)
        sum[d] += p * tileV[j][d];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  float scale = 1.0f / total;
  for (uint d = 0; d < 64; d++)
    out[base + query * 64 + d] = sum[d] * scale;
}
