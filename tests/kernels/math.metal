// Functions of float, one kernel each; unary_NAME, binary_NAME.
#include <metal_stdlib>
using namespace metal;

#define UNARY(NAME)                                                            \
  kernel void unary_##NAME(device const float *x, device float *out,           \
                           uint i [[thread_position_in_grid]]) {               \
    out[i] = float(NAME(x[i]));                                               \
  }                                                                            \
  kernel void half_##NAME(device const half *x, device half *out,              \
                          uint i [[thread_position_in_grid]]) {                \
    out[i] = half(NAME(x[i]));                                                 \
  }
#define PRECISE(NAME)                                                          \
  UNARY(NAME)                                                                  \
  kernel void precise_##NAME(device const float *x, device float *out,         \
                             uint i [[thread_position_in_grid]]) {             \
    out[i] = precise::NAME(x[i]);                                              \
  }                                                                            \
  kernel void fast_##NAME(device const float *x, device float *out,            \
                          uint i [[thread_position_in_grid]]) {                \
    out[i] = fast::NAME(x[i]);                                                 \
  }
PRECISE(sin) PRECISE(cos) PRECISE(tan) PRECISE(asin) PRECISE(acos) PRECISE(atan)
PRECISE(sinh) PRECISE(cosh) PRECISE(tanh) PRECISE(asinh) PRECISE(acosh)
PRECISE(atanh) PRECISE(exp) PRECISE(exp2) PRECISE(exp10) PRECISE(log)
PRECISE(log2) PRECISE(log10) PRECISE(sqrt) PRECISE(rsqrt) PRECISE(sinpi)
PRECISE(cospi) PRECISE(tanpi) PRECISE(fabs) PRECISE(floor) PRECISE(ceil)
PRECISE(trunc) PRECISE(rint) PRECISE(round) PRECISE(fract)
UNARY(sign) UNARY(saturate) UNARY(abs)

#define BINARY(NAME)                                                           \
  kernel void binary_##NAME(device const float *x, device const float *y,      \
                            device float *out,                                 \
                            uint i [[thread_position_in_grid]]) {              \
    out[i] = NAME(x[i], y[i]);                                                 \
  }
BINARY(atan2) BINARY(pow) BINARY(powr) BINARY(fmod) BINARY(fmin) BINARY(fmax)
BINARY(min) BINARY(max) BINARY(fdim) BINARY(copysign) BINARY(step)
BINARY(nextafter) BINARY(divide)

kernel void ternary(device const float *x, device const float *y,
                    device const float *z, device float *out,
                    uint i [[thread_position_in_grid]],
                    uint n [[threads_per_grid]]) {
  out[0 * n + i] = fma(x[i], y[i], z[i]);
  out[1 * n + i] = mix(x[i], y[i], z[i]);
  out[2 * n + i] = clamp(x[i], -0.5f, 0.75f);
  out[3 * n + i] = smoothstep(-1.0f, 2.0f, x[i]);
  out[4 * n + i] = median3(x[i], y[i], z[i]);
  out[5 * n + i] = min3(x[i], y[i], z[i]);
  out[6 * n + i] = max3(x[i], y[i], z[i]);
  out[7 * n + i] = ldexp(x[i], 3);
}

kernel void parts(device const float *x, device float *out,
                  uint i [[thread_position_in_grid]],
                  uint n [[threads_per_grid]]) {
  float whole, cosine;
  int exponent;
  out[0 * n + i] = modf(x[i], whole);
  out[1 * n + i] = whole;
  out[2 * n + i] = frexp(x[i], exponent);
  out[3 * n + i] = exponent;
  out[4 * n + i] = sincos(x[i], cosine);
  out[5 * n + i] = cosine;
  out[6 * n + i] = ilogb(x[i]);
}

kernel void relational(device const float *x, device int *out,
                       uint i [[thread_position_in_grid]],
                       uint n [[threads_per_grid]]) {
  out[0 * n + i] = isnan(x[i]);
  out[1 * n + i] = isinf(x[i]);
  out[2 * n + i] = isfinite(x[i]);
  out[3 * n + i] = isnormal(x[i]);
  out[4 * n + i] = signbit(x[i]);
  out[5 * n + i] = any(float2(x[i], 0) > 1.0f);
  out[6 * n + i] = all(float2(x[i], 2) > 1.0f);
}
