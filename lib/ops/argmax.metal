// Index of the first maximum along the middle axis of [outer, extent, inner];
// the first NaN counts as the maximum.
#include <metal_stdlib>
using namespace metal;

static bool isLarger(A a, A b) { return a > b || (a != a && b == b); }

// A simdgroup for each row; inner = 1.
[[kernel]] void argmax_rows(device const T *in [[buffer(0)]],
                            device uint *out [[buffer(1)]],
                            constant int *shape [[buffer(2)]],
                            uint id [[thread_position_in_grid]]) {
  uint lane = id % 32, row = id / 32, extent = uint(shape[0]);
  device const T *from = in + ulong(row) * extent;
  uint best = min(lane, extent - 1);
  A top = A(from[best]);
  for (uint i = lane + 32; i < extent; i += 32)
    if (isLarger(A(from[i]), top)) {
      top = A(from[i]);
      best = i;
    }
  for (ushort step = 16; step > 0; step /= 2) {
    A other = simd_shuffle_xor(top, step);
    uint place = simd_shuffle_xor(best, step);
    bool isTie = !isLarger(top, other) && !isLarger(other, top);
    if (isLarger(other, top) || (isTie && place < best)) {
      top = other;
      best = place;
    }
  }
  if (lane == 0)
    out[row] = best;
}

// A thread for each result.
[[kernel]] void argmax_columns(device const T *in [[buffer(0)]],
                               device uint *out [[buffer(1)]],
                               constant int *shape [[buffer(2)]],
                               uint id [[thread_position_in_grid]]) {
  uint extent = uint(shape[0]), inner = uint(shape[1]), best = 0;
  device const T *from = in + ulong(id / inner) * extent * inner + id % inner;
  A top = A(from[0]);
  for (uint i = 1; i < extent; ++i)
    if (isLarger(A(from[ulong(i) * inner]), top)) {
      top = A(from[ulong(i) * inner]);
      best = i;
    }
  out[id] = best;
}
