#include <metal_stdlib>
using namespace metal;

// Square matrices of n columns, n a multiple of 32: each simdgroup makes 16 x 32
// elements out of 8 x 8 matrices.
kernel void simdgroup_matmul(device const float *a [[buffer(0)]],
                             device const float *b [[buffer(1)]],
                             device float *c [[buffer(2)]],
                             constant uint &n [[buffer(3)]],
                             uint2 group [[threadgroup_position_in_grid]]) {
  uint row = group.y * 16, column = group.x * 32;
  simdgroup_float8x8 left[2], right[4], sum[2][4];
  for (uint i = 0; i < 2; i++)
    for (uint j = 0; j < 4; j++)
      sum[i][j] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  for (uint k = 0; k < n; k += 8) {
    for (uint i = 0; i < 2; i++)
      simdgroup_load(left[i], a + (row + i * 8) * n + k, n);
    for (uint j = 0; j < 4; j++)
      simdgroup_load(right[j], b + k * n + column + j * 8, n);
    for (uint i = 0; i < 2; i++)
      for (uint j = 0; j < 4; j++)
        simdgroup_multiply_accumulate(sum[i][j], left[i], right[j], sum[i][j]);
  }
  for (uint i = 0; i < 2; i++)
    for (uint j = 0; j < 4; j++)
      simdgroup_store(sum[i][j], c + (row + i * 8) * n + column + j * 8, n);
}
