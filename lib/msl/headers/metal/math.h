// Mathematical functions. Each has a fast and a precise form; the math mode
// picks the form of the plain name. half and bfloat compute in float and round
// once. Beside the templates stand float and half as plain functions, which win
// over a template of the user's as Metal's do.
#pragma once

namespace metal {

#define __BSM_DECLARE1(name)                                                   \
  float __fast_##name(float) __BSM_PURE(#name ".fast.f32");                    \
  float __precise_##name(float) __BSM_PURE(#name ".precise.f32");
#define __BSM_DECLARE2(name)                                                   \
  float __fast_##name(float, float) __BSM_PURE(#name ".fast.f32");             \
  float __precise_##name(float, float) __BSM_PURE(#name ".precise.f32");

#define __BSM_FUNCTION1(name, function)                                        \
  template <typename A, typename = enable_if_t<__areOperands<A>>>              \
  inline auto name(A a) {                                                      \
    using T = __float1<__element<A>>;                                          \
    if constexpr (__widthOf<A> == 1)                                           \
      return (T)function((float)a);                                            \
    else                                                                       \
      return __map<T, __widthOf<A>>(                                           \
          [&](auto i) { return (T)function(__at<float, i.value>(a)); });       \
  }                                                                            \
  inline float name(float a) {                                                 \
    return name<float>(a);                                                     \
  }                                                                            \
  inline half name(half a) {                                                   \
    return name<half>(a);                                                      \
  }
#define __BSM_FUNCTION2(name, function)                                        \
  template <typename A, typename B,                                            \
            typename = enable_if_t<__areOperands<A, B>>>                       \
  inline auto name(A a, B b) {                                                 \
    using T = typename __operandElement<                                       \
        __float2<__element<A>, __element<B>>, A, B>::type;                     \
    if constexpr (__commonWidth<A, B> == 1)                                    \
      return (T)function((float)a, (float)b);                                  \
    else                                                                       \
      return __map<T, __commonWidth<A, B>>([&](auto i) {                       \
        return (T)function(__at<float, i.value>(a), __at<float, i.value>(b));  \
      });                                                                      \
  }                                                                            \
  inline float name(float a, float b) {                                        \
    return name<float, float>(a, b);                                           \
  }                                                                            \
  inline half name(half a, half b) {                                           \
    return name<half, half>(a, b);                                             \
  }
#define __BSM_FUNCTION3(name, function)                                        \
  template <typename A, typename B, typename C,                                \
            typename = enable_if_t<__areOperands<A, B, C>>>                    \
  inline auto name(A a, B b, C c) {                                            \
    using T = typename __operandElement<                                       \
        __float3<__element<A>, __element<B>, __element<C>>, A, B, C>::type;    \
    if constexpr (__commonWidth<A, B, C> == 1)                                 \
      return (T)function((float)a, (float)b, (float)c);                        \
    else                                                                       \
      return __map<T, __commonWidth<A, B, C>>([&](auto i) {                    \
        return (T)function(__at<float, i.value>(a), __at<float, i.value>(b),   \
                           __at<float, i.value>(c));                           \
      });                                                                      \
  }                                                                            \
  inline float name(float a, float b, float c) {                               \
    return name<float, float, float>(a, b, c);                                 \
  }                                                                            \
  inline half name(half a, half b, half c) {                                   \
    return name<half, half, half>(a, b, c);                                    \
  }

// Functions of the machine in two accuracies.
#define __BSM_MACHINE1(X)                                                      \
  X(exp) X(exp2) X(exp10) X(log) X(log2) X(log10) X(sin) X(cos) X(tan)         \
  X(sinpi) X(cospi) X(tanpi) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh)   \
  X(asinh) X(acosh) X(atanh) X(rsqrt)
#define __BSM_MACHINE2(X) X(atan2) X(pow) X(fmod)
__BSM_MACHINE1(__BSM_DECLARE1)
__BSM_MACHINE2(__BSM_DECLARE2)

// Functions that LLVM has exactly, the same in both accuracies.
inline float __exact_sqrt(float a) { return __builtin_elementwise_sqrt(a); }
inline float __exact_floor(float a) { return __builtin_elementwise_floor(a); }
inline float __exact_ceil(float a) { return __builtin_elementwise_ceil(a); }
inline float __exact_trunc(float a) { return __builtin_elementwise_trunc(a); }
inline float __exact_rint(float a) { return __builtin_elementwise_rint(a); }
inline float __exact_round(float a) { return __builtin_elementwise_round(a); }
inline float __exact_fabs(float a) { return __builtin_elementwise_abs(a); }
inline float __exact_copysign(float a, float b) {
  return __builtin_elementwise_copysign(a, b);
}
inline float __exact_fmin(float a, float b) {
  return __builtin_elementwise_minnum(a, b);
}
inline float __exact_fmax(float a, float b) {
  return __builtin_elementwise_maxnum(a, b);
}
inline float __exact_fma(float a, float b, float c) {
  return __builtin_elementwise_fma(a, b, c);
}
// float rounds the exact product and sum to odd, so that rounding to half or
// bfloat afterwards is right: both have fewer than half of float's bits.
template <typename T> inline T __narrow_fma(T a, T b, T c) {
#pragma clang fp reassociate(off) contract(off)
  float product = (float)a * (float)b, addend = (float)c;
  float sum = product + addend, back = sum - product;
  float error = (product - (sum - back)) + (addend - back);
  uint bits = __builtin_bit_cast(uint, sum);
  if (error != 0.0 && (bits & 1u) == 0u && sum - sum == 0.0)
    bits += (error > 0.0) == (sum > 0.0) ? 1u : -1u;
  return (T)__builtin_bit_cast(float, bits);
}
inline half __exact_fma(half a, half b, half c) {
  return __narrow_fma(a, b, c);
}
inline bfloat __exact_fma(bfloat a, bfloat b, bfloat c) {
  return __narrow_fma(a, b, c);
}
inline float __exact_fdim(float a, float b) { return a <= b ? 0.0 : a - b; }
inline float __exact_divide(float a, float b) { return a / b; }
// Below 1 also for tiny negative values, whose floor is -1.
inline float __exact_fract(float a) {
  return __exact_fmin(a - __exact_floor(a), 0x1.fffffep-1);
}
inline float __exact_sign(float a) {
  return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a == 0.0 ? a : 0.0;
}
inline float __exact_saturate(float a) {
  return __exact_fmin(__exact_fmax(a, 0.0), 1.0);
}
inline float __exact_clamp(float a, float low, float high) {
  return __exact_fmin(__exact_fmax(a, low), high);
}
inline float __exact_mix(float a, float b, float t) { return a + (b - a) * t; }
inline float __exact_step(float edge, float a) {
  return a < edge ? 0.0 : 1.0;
}
inline float __exact_smoothstep(float edge0, float edge1, float a) {
  float t = __exact_saturate((a - edge0) / (edge1 - edge0));
  return t * t * (3.0 - 2.0 * t);
}
inline float __exact_fmin3(float a, float b, float c) {
  return __exact_fmin(__exact_fmin(a, b), c);
}
inline float __exact_fmax3(float a, float b, float c) {
  return __exact_fmax(__exact_fmax(a, b), c);
}
inline float __exact_fmedian3(float a, float b, float c) {
  return __exact_fmax(__exact_fmin(a, b),
                      __exact_fmin(__exact_fmax(a, b), c));
}

#define __BSM_EXACT1(X)                                                        \
  X(sqrt) X(floor) X(ceil) X(trunc) X(rint) X(round) X(fabs) X(fract) X(sign)  \
  X(saturate)
#define __BSM_EXACT2(X) X(copysign) X(fmin) X(fmax) X(fdim) X(divide) X(step)
#define __BSM_EXACT3(X)                                                        \
  X(mix) X(smoothstep) X(fmin3) X(fmax3) X(fmedian3)

#define __BSM_EXACT_FUNCTION1(name) __BSM_FUNCTION1(name, __exact_##name)
#define __BSM_EXACT_FUNCTION2(name) __BSM_FUNCTION2(name, __exact_##name)
#define __BSM_EXACT_FUNCTION3(name) __BSM_FUNCTION3(name, __exact_##name)
#define __BSM_FAST_FUNCTION1(name) __BSM_FUNCTION1(name, __fast_##name)
#define __BSM_FAST_FUNCTION2(name) __BSM_FUNCTION2(name, __fast_##name)
#define __BSM_PRECISE_FUNCTION1(name) __BSM_FUNCTION1(name, __precise_##name)
#define __BSM_PRECISE_FUNCTION2(name) __BSM_FUNCTION2(name, __precise_##name)
// half and bfloat round once, so they are not computed in float.
#define __BSM_FMA                                                              \
  template <typename A, typename B, typename C,                                \
            typename = enable_if_t<__areOperands<A, B, C>>>                    \
  inline auto fma(A a, B b, C c) {                                             \
    using T = typename __operandElement<                                       \
        __float3<__element<A>, __element<B>, __element<C>>, A, B, C>::type;    \
    using F = __float1<T>;                                                     \
    if constexpr (__commonWidth<A, B, C> == 1)                                 \
      return (T)__exact_fma((F)a, (F)b, (F)c);                                 \
    else                                                                       \
      return __map<T, __commonWidth<A, B, C>>([&](auto i) {                    \
        return (T)__exact_fma(__at<F, i.value>(a), __at<F, i.value>(b),        \
                              __at<F, i.value>(c));                            \
      });                                                                      \
  }
#define __BSM_EXACT_FUNCTIONS                                                  \
  __BSM_FMA                                                                    \
  __BSM_EXACT1(__BSM_EXACT_FUNCTION1)                                          \
  __BSM_EXACT2(__BSM_EXACT_FUNCTION2)                                          \
  __BSM_EXACT3(__BSM_EXACT_FUNCTION3)                                          \
  __BSM_FUNCTION2(powr, pow)                                                   \
  template <typename A, typename C, typename = enable_if_t<__areOperands<A>>>  \
  inline auto sincos(A a, C &cosine) {                                         \
    cosine = cos(a);                                                           \
    return sin(a);                                                             \
  }

namespace fast {
__BSM_MACHINE1(__BSM_FAST_FUNCTION1)
__BSM_MACHINE2(__BSM_FAST_FUNCTION2)
__BSM_EXACT_FUNCTIONS
} // namespace fast
namespace precise {
__BSM_MACHINE1(__BSM_PRECISE_FUNCTION1)
__BSM_MACHINE2(__BSM_PRECISE_FUNCTION2)
__BSM_EXACT_FUNCTIONS
} // namespace precise
#ifdef __BSM_FAST_FUNCTIONS__
__BSM_MACHINE1(__BSM_FAST_FUNCTION1)
__BSM_MACHINE2(__BSM_FAST_FUNCTION2)
#else
__BSM_MACHINE1(__BSM_PRECISE_FUNCTION1)
__BSM_MACHINE2(__BSM_PRECISE_FUNCTION2)
#endif
__BSM_EXACT_FUNCTIONS

} // namespace metal
