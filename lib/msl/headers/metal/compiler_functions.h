// Functions that public sources call by their compiler-internal names. The last
// operand of the mathematical ones asks for the fast form.
#pragma once

namespace metal {

constexpr bool __fastByDefault =
#ifdef __BSM_FAST_FUNCTIONS__
    true;
#else
    false;
#endif
#define __METAL_MAYBE_FAST_MATH__ metal::__fastByDefault

#define __BSM_NAMED1(name)                                                     \
  template <typename A>                                                        \
  inline A __metal_##name(A a, bool isFast = __fastByDefault) {                \
    return isFast ? fast::name(a) : precise::name(a);                          \
  }
#define __BSM_NAMED2(name)                                                     \
  template <typename A>                                                        \
  inline A __metal_##name(A a, type_identity_t<A> b,                           \
                          bool isFast = __fastByDefault) {                     \
    return isFast ? fast::name(a, b) : precise::name(a, b);                    \
  }
#define __BSM_NAMED3(name)                                                     \
  template <typename A>                                                        \
  inline A __metal_##name(A a, type_identity_t<A> b, type_identity_t<A> c,     \
                          bool isFast = __fastByDefault) {                     \
    return isFast ? fast::name(a, b, c) : precise::name(a, b, c);              \
  }
#define __BSM_NAMED_LANES(name)                                                \
  template <typename T> inline T __metal_simd_##name(T value) {                \
    return simd_##name(value);                                                 \
  }
#define __BSM_NAMED_SHUFFLE(name)                                              \
  template <typename T> inline T __metal_simd_##name(T value, ushort lane) {   \
    return simd_##name(value, lane);                                           \
  }
#define __BSM_NAMES1(X) \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(ceil) X(cos) X(cosh) \
  X(cospi) X(exp) X(exp10) X(exp2) X(fabs) X(floor) X(fract) X(log) \
  X(log10) X(log2) X(rint) X(round) X(rsqrt) X(sign) X(sin) X(sinh) \
  X(sinpi) X(sqrt) X(tan) X(tanh) X(tanpi) X(trunc)
#define __BSM_NAMES2(X) \
  X(atan2) X(divide) X(fdim) X(fmax) X(fmin) X(fmod) X(pow) X(powr)
#define __BSM_NAMES3(X) \
  X(fmax3) X(fmedian3) X(fmin3) X(mix) X(smoothstep) X(clamp)
#define __BSM_LANE_NAMES(X) \
  X(sum) X(product) X(min) X(max) X(and) X(or) X(xor) \
  X(prefix_inclusive_sum) X(prefix_exclusive_sum) \
  X(prefix_inclusive_product) X(prefix_exclusive_product) \
  X(broadcast_first)
#define __BSM_SHUFFLE_NAMES(X) \
  X(shuffle) X(shuffle_xor) X(shuffle_up) X(shuffle_down) \
  X(shuffle_rotate_up) X(shuffle_rotate_down) X(broadcast)
__BSM_NAMES1(__BSM_NAMED1)
__BSM_NAMES2(__BSM_NAMED2)
__BSM_NAMES3(__BSM_NAMED3)
__BSM_LANE_NAMES(__BSM_NAMED_LANES)
__BSM_SHUFFLE_NAMES(__BSM_NAMED_SHUFFLE)

inline float __metal_fma(float a, float b, float c) {
  return __exact_fma(a, b, c);
}
inline float __metal_nextafter(float a, float b) { return nextafter(a, b); }
inline float __metal_copysign(float a, float b) { return copysign(a, b); }
inline float __metal_saturate(float a) { return saturate(a); }
inline float __metal_ldexp(float a, int exponent,
                           bool = __fastByDefault) {
  return ldexp(a, exponent);
}
inline float __metal_frexp(float a, int *exponent) {
  return frexp(a, *exponent);
}
inline int __metal_ilogb(float a) { return ilogb(a); }
inline float __metal_modf(float a, float *whole) { return modf(a, *whole); }
inline float __metal_sincos(float a, float *cosine,
                            bool = __fastByDefault) {
  return sincos(a, *cosine);
}
inline bool __metal_isnan(float a, bool = false) { return isnan(a); }
inline bool __metal_isinf(float a, bool = false) { return isinf(a); }
inline bool __metal_isfinite(float a, bool = false) { return isfinite(a); }
inline bool __metal_isnormal(float a, bool = false) { return isnormal(a); }
inline bool __metal_signbit(float a) { return signbit(a); }
template <typename T> inline T __metal_select(T a, T b, bool c) {
  return c ? b : a;
}
inline ushort __metal_get_simdgroup_size(ushort) { return 32; }
inline ushort __metal_get_thread_index_in_simdgroup(ushort) {
  return (ushort)__laneIndex();
}
template <typename T>
inline T __metal_simd_shuffle_and_fill_up(T value, T fill, ushort delta,
                                          ushort modulo) {
  return simd_shuffle_and_fill_up(value, fill, delta, modulo);
}
template <typename T>
inline T __metal_simd_shuffle_and_fill_down(T value, T fill, ushort delta,
                                            ushort modulo) {
  return simd_shuffle_and_fill_down(value, fill, delta, modulo);
}

#undef __BSM_NAMED1
#undef __BSM_NAMED2
#undef __BSM_NAMED3
#undef __BSM_NAMED_LANES
#undef __BSM_NAMED_SHUFFLE
#undef __BSM_NAMES1
#undef __BSM_NAMES2
#undef __BSM_NAMES3
#undef __BSM_LANE_NAMES
#undef __BSM_SHUFFLE_NAMES

} // namespace metal
