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

// Signed indices need no wrap-around.
kernel void matmul_int(device const float *a [[buffer(0)]],
                       device const float *b [[buffer(1)]],
                       device float *c [[buffer(2)]],
                       constant int &n [[buffer(3)]],
                       uint2 id [[thread_position_in_grid]]) {
  int column = id.x, row = id.y;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

template <uint tile>
kernel void matmul_tiled(device const float *a [[buffer(0)]],
                         device const float *b [[buffer(1)]],
                         device float *c [[buffer(2)]],
                         constant uint &n [[buffer(3)]],
                         uint2 id [[thread_position_in_grid]],
                         uint2 local [[thread_position_in_threadgroup]]) {
  threadgroup float tileA[tile][tile];
  threadgroup float tileB[tile][tile];
  float sum = 0;
  for (uint t = 0; t < n / tile; t++) {
    tileA[local.y][local.x] = a[id.y * n + t * tile + local.x];
    tileB[local.y][local.x] = b[(t * tile + local.y) * n + id.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < tile; k++)
      sum += tileA[local.y][k] * tileB[k][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  c[id.y * n + id.x] = sum;
}

template [[host_name("matmul_tiled")]] kernel void
matmul_tiled<16>(device const float *, device const float *, device float *,
                 constant uint &, uint2, uint2);
template [[host_name("matmul_tiled32")]] kernel void
matmul_tiled<32>(device const float *, device const float *, device float *,
                 constant uint &, uint2, uint2);
