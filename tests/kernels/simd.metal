// simd_* and quad_* functions; in every kernel row f of `out` is function f.
#include <metal_stdlib>
using namespace metal;

template <typename T>
kernel void reductions(device const T *in, device T *out,
                       uint i [[thread_position_in_grid]],
                       uint n [[threads_per_grid]]) {
  T x = in[i];
  out[0 * n + i] = simd_sum(x);
  out[1 * n + i] = simd_product(x);
  out[2 * n + i] = simd_min(x);
  out[3 * n + i] = simd_max(x);
  out[4 * n + i] = simd_prefix_inclusive_sum(x);
  out[5 * n + i] = simd_prefix_exclusive_sum(x);
  out[6 * n + i] = simd_prefix_inclusive_product(x);
  out[7 * n + i] = simd_prefix_exclusive_product(x);
  out[8 * n + i] = simd_broadcast(x, 3);
  out[9 * n + i] = simd_broadcast_first(x);
  out[10 * n + i] = simd_shuffle(x, (i * 7) % 32);
  out[11 * n + i] = simd_shuffle_xor(x, 5);
  out[12 * n + i] = simd_shuffle_up(x, 2);
  out[13 * n + i] = simd_shuffle_down(x, 2);
  out[14 * n + i] = simd_shuffle_rotate_up(x, 3);
  out[15 * n + i] = simd_shuffle_rotate_down(x, 3);
  out[16 * n + i] = simd_shuffle_and_fill_up(x, T(1), 4);
  out[17 * n + i] = simd_shuffle_and_fill_down(x, T(1), 4);
  out[18 * n + i] = quad_sum(x);
  out[19 * n + i] = quad_max(x);
  out[20 * n + i] = quad_broadcast(x, 2);
  out[21 * n + i] = quad_shuffle_xor(x, 1);
  out[22 * n + i] = quad_prefix_exclusive_sum(x);
}
#define INSTANTIATE(T)                                                         \
  template [[host_name("reductions_" #T)]] kernel void reductions<T>(          \
      device const T *, device T *, uint, uint);
INSTANTIATE(int)
INSTANTIATE(uint)
INSTANTIATE(float)
INSTANTIATE(half)
INSTANTIATE(short)
INSTANTIATE(uchar)

kernel void bitwise(device const uint *in, device uint *out,
                    uint i [[thread_position_in_grid]],
                    uint n [[threads_per_grid]]) {
  uint x = in[i];
  out[0 * n + i] = simd_and(x);
  out[1 * n + i] = simd_or(x);
  out[2 * n + i] = simd_xor(x);
  out[3 * n + i] = uint(uint64_t(simd_vote::vote_t(simd_ballot(x & 1))));
  out[4 * n + i] = simd_all(x > 2);
  out[5 * n + i] = simd_any(x > 20);
  out[6 * n + i] = simd_is_first();
}

kernel void divergent(device const int *in, device int *out,
                      uint i [[thread_position_in_grid]],
                      uint lane [[thread_index_in_simdgroup]]) {
  int x = in[i];
  int result;
  if (x % 2 == 0)
    result = simd_sum(x);
  else if (x % 3 == 0)
    result = simd_max(x);
  else
    result = 1000 + simd_broadcast_first(x);
  for (int k = 0; k < int(lane % 4); ++k)
    result += simd_sum(1);
  out[i] = result;
}

kernel void vectors(device const float4 *in, device float4 *out,
                    uint i [[thread_position_in_grid]],
                    uint n [[threads_per_grid]]) {
  out[i] = simd_sum(in[i]);
  out[n + i] = simd_shuffle_xor(in[i], 1);
}

kernel void matrix(device const float *a, device const float *b,
                   device float *out) {
  simdgroup_float8x8 x, y, sum = make_filled_simdgroup_matrix<float, 8, 8>(1);
  simdgroup_load(x, a, 8);
  simdgroup_load(y, b, 8, ulong2(0, 0), true);
  simdgroup_multiply_accumulate(sum, x, y, sum);
  simdgroup_store(sum, out, 8);
}
