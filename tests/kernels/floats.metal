// Operators and conversions of half, bfloat and float.
#include <metal_stdlib>
using namespace metal;

template <typename T>
kernel void operators(device const T *a, device const T *b, device T *out,
                      uint i [[thread_position_in_grid]],
                      uint n [[threads_per_grid]]) {
  T x = a[i], y = b[i];
  out[0 * n + i] = x + y;
  out[1 * n + i] = x - y;
  out[2 * n + i] = x * y;
  out[3 * n + i] = x / y;
  out[4 * n + i] = -x;
  T sum = x;
  for (int k = 0; k < 5; ++k)
    sum += y;
  out[5 * n + i] = sum;
  out[6 * n + i] = x < y ? x : y;
  out[7 * n + i] = T(int(x) + 3);
}
template [[host_name("operators_float")]] kernel void
operators<float>(device const float *, device const float *, device float *,
                 uint, uint);
template [[host_name("operators_half")]] kernel void
operators<half>(device const half *, device const half *, device half *, uint,
                uint);
template [[host_name("operators_bfloat")]] kernel void
operators<bfloat>(device const bfloat *, device const bfloat *,
                  device bfloat *, uint, uint);

kernel void conversions(device const float *in, device half *halves,
                        device bfloat *bfloats, device float *back,
                        uint i [[thread_position_in_grid]]) {
  halves[i] = half(in[i]);
  bfloats[i] = bfloat(in[i]);
  back[2 * i] = float(halves[i]);
  back[2 * i + 1] = float(bfloats[i]);
}

kernel void to_integers(device const float *in, device int *ints,
                        device uint *uints, device char *chars,
                        device long *longs, uint i [[thread_position_in_grid]]) {
  ints[i] = int(in[i]);
  uints[i] = uint(in[i]);
  chars[i] = char(in[i]);
  longs[i] = long(in[i]);
}

kernel void bits(device const uint *in, device uint *out,
                 uint i [[thread_position_in_grid]]) {
  float f = as_type<float>(in[i]);
  out[i] = as_type<uint>(f * 2.0f);
  ushort2 parts = as_type<ushort2>(in[i]);
  out[i + 4] = uint(parts.x) + parts.y;
  half h = as_type<half>(ushort(0x3c00));
  out[i + 8] = as_type<ushort>(h + h);
}

kernel void literals(device float *out) {
  out[0] = 0.1;
  out[1] = 0.1f * 3;
  out[2] = float(0.1h);
  out[3] = 1e-3;
  out[4] = M_PI_F;
  out[5] = INFINITY;
  out[6] = HUGE_VALF;
  out[7] = numeric_limits<float>::max();
  out[8] = float(half(1.0) / 3);
}
