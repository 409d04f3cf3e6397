// Inclusive prefixes along the middle axis of [outer, extent, inner] with
// REDUCER, from the end if REVERSE.
static void scan_column(device const T *in, device T *out, uint extent,
                        ulong stride) {
  A sum = REDUCER::first();
  for (uint i = 0; i < extent; ++i) {
    ulong at = (REVERSE ? extent - 1 - i : i) * stride;
    sum = REDUCER::join(sum, A(in[at]));
    out[at] = T(sum);
  }
}

// The prefixes depend on each other: the first lane does a whole row.
[[kernel]] void scan_rows(device const T *in [[buffer(0)]],
                          device T *out [[buffer(1)]],
                          constant int *shape [[buffer(2)]],
                          uint id [[thread_position_in_grid]]) {
  ulong base = ulong(id / 32) * uint(shape[0]);
  if (id % 32 == 0)
    scan_column(in + base, out + base, uint(shape[0]), 1);
}

[[kernel]] void scan_columns(device const T *in [[buffer(0)]],
                             device T *out [[buffer(1)]],
                             constant int *shape [[buffer(2)]],
                             uint id [[thread_position_in_grid]]) {
  uint extent = uint(shape[0]), inner = uint(shape[1]);
  ulong base = ulong(id / inner) * extent * inner + id % inner;
  scan_column(in + base, out + base, extent, inner);
}
