// Functions on the parts of a floating-point number: exponent, fraction,
// neighbours, and the half fused multiply-add that rounds once.
#pragma once

namespace metal {

// The exponent e with 1 <= |a| / 2^e < 2, for finite a != 0.
constexpr int __exponentOf(float a) {
  uint magnitude = __floatBits(a) & 0x7fffffffu;
  if (magnitude >= 0x00800000u)
    return (int)(magnitude >> 23) - 127;
  return magnitude ? -118 - (int)__builtin_clz(magnitude) : -127;
}
constexpr float __powerOfTwo(int exponent) {
  return __builtin_bit_cast(float, (uint)(exponent + 127) << 23);
}
// a * 2^exponent with one rounding: at most two exact steps before the last.
inline float __ldexp(float a, int exponent) {
  exponent = __maximum(__minimum(exponent, 300), -300);
  if (exponent > 127) {
    a *= 0x1p127;
    exponent -= 127;
    if (exponent > 127) {
      a *= 0x1p127;
      exponent = __minimum(exponent - 127, 127);
    }
  } else if (exponent < -126) {
    // Keep 24 bits of room so that only the last product rounds.
    a *= 0x1p-102;
    exponent += 102;
    if (exponent < -126) {
      a *= 0x1p-102;
      exponent = __maximum(exponent + 102, -126);
    }
  }
  return a * __powerOfTwo(exponent);
}
inline float __fractionOf(float a, int &exponent) {
  if (a == 0.0 || !__isFinite(a)) {
    exponent = 0;
    return a;
  }
  int e = __exponentOf(a) + 1;
  exponent = e;
  return __ldexp(__ldexp(a, -(e / 2)), -(e - e / 2));
}
constexpr int __ilogb(float a) {
  if (a == 0.0 || __isNan(a))
    return -2147483647 - 1;
  return __isInf(a) ? 2147483647 : __exponentOf(a);
}

template <typename T> using __bitsOf =
    conditional_t<sizeof(T) == 2, ushort, uint>;
template <typename T> constexpr T __nextAfter(T a, T b) {
  using U = __bitsOf<T>;
  if (__isNan(a) || __isNan(b))
    return (T)__builtin_nan("");
  if (a == b)
    return b;
  U bits = __builtin_bit_cast(U, a);
  U sign = (U)1 << (8 * sizeof(T) - 1);
  if (a == (T)0)
    return __builtin_bit_cast(T, (U)((b < (T)0 ? sign : 0) | 1));
  bool away = (a < b) == ((bits & sign) == 0);
  return __builtin_bit_cast(T, (U)(away ? bits + 1 : bits - 1));
}

template <typename A, typename B,
          typename = enable_if_t<__areOperands<A, B>>>
inline auto ldexp(A a, B exponent) {
  using T = __float1<__element<A>>;
  return __map<T, __commonWidth<A, B>>([&](auto i) {
    return (T)__ldexp(__at<float, i.value>(a), __at<int, i.value>(exponent));
  });
}
template <typename A, typename = enable_if_t<__areOperands<A>>>
inline auto ilogb(A a) {
  return __map<int, __widthOf<A>>(
      [&](auto i) { return __ilogb(__at<float, i.value>(a)); });
}
template <typename A, typename E, typename = enable_if_t<__areOperands<A, E>>>
inline auto frexp(A a, E &exponent) {
  using T = __float1<__element<A>>;
  E exponents;
  auto fraction = __map<T, __widthOf<A>>([&](auto i) {
    int e;
    T f = (T)__fractionOf(__at<float, i.value>(a), e);
    if constexpr (is_vector_v<E>)
      exponents[i.value] = e;
    else
      exponents = e;
    return f;
  });
  exponent = exponents;
  return fraction;
}
template <typename A, typename B, typename = enable_if_t<__areOperands<A, B>>>
inline auto modf(A a, B &whole) {
  whole = trunc(a);
  return copysign(select(a - trunc(a), A(0), isinf(a)), a);
}
template <typename A, typename B,
          typename = enable_if_t<__areOperands<A, B>>>
constexpr auto nextafter(A a, B b) {
  using T = typename __operandElement<
      __float2<__element<A>, __element<B>>, A, B>::type;
  return __map<T, __commonWidth<A, B>>([&](auto i) {
    return __nextAfter(__at<T, i.value>(a), __at<T, i.value>(b));
  });
}

namespace fast {
using metal::frexp;
using metal::ilogb;
using metal::ldexp;
using metal::modf;
using metal::nextafter;
} // namespace fast
namespace precise {
using metal::frexp;
using metal::ilogb;
using metal::ldexp;
using metal::modf;
using metal::nextafter;
} // namespace precise

} // namespace metal
