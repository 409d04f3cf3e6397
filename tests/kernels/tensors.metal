// Tensors as kernel arguments; extents are innermost first.
#include <metal_stdlib>
using namespace metal;

using Matrix = tensor<device float, dextents<int, 2>, tensor_handle>;

kernel void scale(Matrix in, Matrix out, constant float &factor,
                  uint2 p [[thread_position_in_grid]]) {
  int2 at = int2(p);
  if (at.x >= in.get_extent(0) || at.y >= in.get_extent(1))
    return;
  out[at.x, at.y] = factor * in[at.x, at.y];
}

kernel void shape(tensor<device half, dextents<int, 3>, tensor_handle> t,
                  device int *out) {
  out[0] = t.get_rank();
  for (int d = 0; d < 3; ++d) {
    out[1 + d] = t.get_extent(d);
    out[4 + d] = t.get_stride(d);
  }
}

kernel void past_the_end(Matrix in, device float *out,
                         uint i [[thread_position_in_grid]]) {
  out[i] = in[int(i), 1];
}
