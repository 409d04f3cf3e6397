// Reduces the middle axis of [outer, extent, inner] with REDUCER.

// A simdgroup for each row; inner = 1.
[[kernel]] void reduce_rows(device const T *in [[buffer(0)]],
                            device T *out [[buffer(1)]],
                            constant int *shape [[buffer(2)]],
                            uint id [[thread_position_in_grid]]) {
  uint lane = id % 32, row = id / 32, extent = uint(shape[0]);
  device const T *from = in + ulong(row) * extent;
  A sum = REDUCER::first();
  for (uint i = lane; i < extent; i += 32)
    sum = REDUCER::join(sum, A(from[i]));
  for (ushort step = 16; step > 0; step /= 2)
    sum = REDUCER::join(sum, simd_shuffle_xor(sum, step));
  if (lane == 0)
    out[row] = T(REDUCER::last(sum, int(extent)));
}

// A thread for each result.
[[kernel]] void reduce_columns(device const T *in [[buffer(0)]],
                               device T *out [[buffer(1)]],
                               constant int *shape [[buffer(2)]],
                               uint id [[thread_position_in_grid]]) {
  uint extent = uint(shape[0]), inner = uint(shape[1]);
  device const T *from = in + ulong(id / inner) * extent * inner + id % inner;
  A sum = REDUCER::first();
  for (uint i = 0; i < extent; ++i)
    sum = REDUCER::join(sum, A(from[ulong(i) * inner]));
  out[id] = T(REDUCER::last(sum, int(extent)));
}
