#include <metal_stdlib>
using namespace metal;

kernel void matmul_naive(device const float *a [[buffer(0)]],
                         device const float *b [[buffer(1)]],
                         device float *c [[buffer(2)]],
                         constant uint &n [[buffer(3)]],
                         uint2 id [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint k = 0; k < n; k++)
    sum += a[id.y * n + k] * b[k * n + id.x];
  c[id.y * n + id.x] = sum;
}

kernel void matmul_tiled(device const float *a [[buffer(0)]],
                         device const float *b [[buffer(1)]],
                         device float *c [[buffer(2)]],
                         constant uint &n [[buffer(3)]],
                         uint2 id [[thread_position_in_grid]],
                         uint2 local [[thread_position_in_threadgroup]]) {
  threadgroup float tileA[16][16];
  threadgroup float tileB[16][16];
  float sum = 0;
  for (uint t = 0; t < n / 16; t++) {
    tileA[local.y][local.x] = a[id.y * n + t * 16 + local.x];
    tileB[local.y][local.x] = b[(t * 16 + local.y) * n + id.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < 16; k++)
      sum += tileA[local.y][k] * tileB[k][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  c[id.y * n + id.x] = sum;
}
