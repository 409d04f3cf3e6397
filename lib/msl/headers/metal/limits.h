// numeric_limits.
#pragma once

namespace metal {

template <typename T> struct _numeric_limits_impl {
  static constexpr bool is_specialized = false;
};

#define __BSM_INTEGER_LIMITS(T, minimum, maximum, bits)                        \
  template <> struct _numeric_limits_impl<T> {                                 \
    static constexpr bool is_specialized = true;                               \
    static constexpr bool is_signed = (T)-1 < (T)1;                            \
    static constexpr bool is_integer = true;                                   \
    static constexpr bool is_exact = true;                                     \
    static constexpr bool has_infinity = false;                                \
    static constexpr bool has_quiet_NaN = false;                               \
    static constexpr bool is_bounded = true;                                   \
    static constexpr bool is_modulo = true;                                    \
    static constexpr int radix = 2;                                            \
    static constexpr int digits = bits;                                        \
    static constexpr int digits10 = bits * 643 / 2136;                         \
    static constexpr T min() { return minimum; }                               \
    static constexpr T lowest() { return minimum; }                            \
    static constexpr T max() { return maximum; }                               \
    static constexpr T epsilon() { return 0; }                                 \
    static constexpr T infinity() { return 0; }                                \
    static constexpr T quiet_NaN() { return 0; }                               \
    static constexpr T denorm_min() { return 0; }                              \
  };
__BSM_INTEGER_LIMITS(bool, false, true, 1)
__BSM_INTEGER_LIMITS(char, -128, 127, 7)
__BSM_INTEGER_LIMITS(signed char, -128, 127, 7)
__BSM_INTEGER_LIMITS(uchar, 0, 255, 8)
__BSM_INTEGER_LIMITS(short, -32768, 32767, 15)
__BSM_INTEGER_LIMITS(ushort, 0, 65535, 16)
__BSM_INTEGER_LIMITS(int, -2147483647 - 1, 2147483647, 31)
__BSM_INTEGER_LIMITS(uint, 0, 4294967295u, 32)
__BSM_INTEGER_LIMITS(long, -9223372036854775807l - 1l, 9223372036854775807l, 63)
__BSM_INTEGER_LIMITS(ulong, 0, 18446744073709551615ul, 64)
#undef __BSM_INTEGER_LIMITS

#define __BSM_FLOAT_LIMITS(T, bits, decimals, least, most, step, tiny, low,    \
                           high)                                               \
  template <> struct _numeric_limits_impl<T> {                                 \
    static constexpr bool is_specialized = true;                               \
    static constexpr bool is_signed = true;                                    \
    static constexpr bool is_integer = false;                                  \
    static constexpr bool is_exact = false;                                    \
    static constexpr bool has_infinity = true;                                 \
    static constexpr bool has_quiet_NaN = true;                                \
    static constexpr bool is_bounded = true;                                   \
    static constexpr bool is_modulo = false;                                   \
    static constexpr int radix = 2;                                            \
    static constexpr int digits = bits;                                        \
    static constexpr int digits10 = decimals;                                  \
    static constexpr int min_exponent = low;                                   \
    static constexpr int max_exponent = high;                                  \
    static constexpr T min() { return (T)least; }                              \
    static constexpr T lowest() { return (T) - most; }                         \
    static constexpr T max() { return (T)most; }                               \
    static constexpr T epsilon() { return (T)step; }                           \
    static constexpr T round_error() { return (T)0.5; }                       \
    static constexpr T infinity() { return (T)__builtin_inf(); }              \
    static constexpr T quiet_NaN() { return (T)__builtin_nan(""); }           \
    static constexpr T signaling_NaN() { return (T)__builtin_nan(""); }       \
    static constexpr T denorm_min() { return (T)tiny; }                        \
  };
__BSM_FLOAT_LIMITS(half, 11, 3, 0x1p-14, 65504.0, 0x1p-10, 0x1p-24, -13, 16)
__BSM_FLOAT_LIMITS(bfloat, 8, 2, 0x1p-126, 0x1.fep+127, 0x1p-7, 0x1p-133,
                   -125, 128)
__BSM_FLOAT_LIMITS(float, 24, 6, 0x1p-126, 0x1.fffffep+127, 0x1p-23,
                   0x1p-149, -125, 128)
#undef __BSM_FLOAT_LIMITS

template <typename T> struct numeric_limits : _numeric_limits_impl<T> {};
template <typename T> struct numeric_limits<const T> : numeric_limits<T> {};

} // namespace metal
