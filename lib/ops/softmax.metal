// Softmax over the middle axis of [outer, extent, inner]: T in, T out, computed
// in float. A row of -inf gives NaN, as in torch.
#include <metal_stdlib>
using namespace metal;

static float larger(float a, float b) { return a > b || a != a ? a : b; }

// A simdgroup for each row; inner = 1.
[[kernel]] void softmax_rows(device const T *in [[buffer(0)]],
                             device T *out [[buffer(1)]],
                             constant int *shape [[buffer(2)]],
                             uint id [[thread_position_in_grid]]) {
  uint lane = id % 32, extent = uint(shape[0]);
  ulong base = ulong(id / 32) * extent;
  float top = -INFINITY;
  for (uint i = lane; i < extent; i += 32)
    top = larger(top, float(in[base + i]));
  for (ushort step = 16; step > 0; step /= 2)
    top = larger(top, simd_shuffle_xor(top, step));
  float sum = 0.0f;
  for (uint i = lane; i < extent; i += 32)
    sum += precise::exp(float(in[base + i]) - top);
  for (ushort step = 16; step > 0; step /= 2)
    sum += simd_shuffle_xor(sum, step);
  for (uint i = lane; i < extent; i += 32)
    out[base + i] = T(precise::exp(float(in[base + i]) - top) / sum);
}

// A thread for each column.
[[kernel]] void softmax_columns(device const T *in [[buffer(0)]],
                                device T *out [[buffer(1)]],
                                constant int *shape [[buffer(2)]],
                                uint id [[thread_position_in_grid]]) {
  uint extent = uint(shape[0]), inner = uint(shape[1]);
  ulong base = ulong(id / inner) * extent * inner + id % inner;
  float top = -INFINITY;
  for (uint i = 0; i < extent; ++i)
    top = larger(top, float(in[base + ulong(i) * inner]));
  float sum = 0.0f;
  for (uint i = 0; i < extent; ++i)
    sum += precise::exp(float(in[base + ulong(i) * inner]) - top);
  for (uint i = 0; i < extent; ++i) {
    ulong at = base + ulong(i) * inner;
    out[at] = T(precise::exp(float(in[at]) - top) / sum);
  }
}
