// Relational functions.
#pragma once

namespace metal {

constexpr uint __floatBits(float value) {
  return __builtin_bit_cast(uint, value);
}
constexpr bool __isNan(float value) {
  return (__floatBits(value) & 0x7fffffffu) > 0x7f800000u;
}
constexpr bool __isInf(float value) {
  return (__floatBits(value) & 0x7fffffffu) == 0x7f800000u;
}
constexpr bool __isFinite(float value) {
  return (__floatBits(value) & 0x7f800000u) != 0x7f800000u;
}
// Normal in its own type: half widens to float before it gets here.
template <typename T> constexpr bool __isNormal(T value) {
  float magnitude = value < 0 ? -(float)value : (float)value;
  float least = is_same_v<T, half> ? 0x1p-14 : 0x1p-126;
  return magnitude >= least && __isFinite(magnitude);
}
constexpr bool __isNegative(float value) {
  return (__floatBits(value) >> 31) != 0;
}

#define __BSM_PREDICATE(name, function)                                        \
  template <typename A, typename = enable_if_t<__areOperands<A>>>              \
  constexpr auto name(A a) {                                                   \
    using T = __float1<__element<A>>;                                          \
    return __map<bool, __widthOf<A>>(                                          \
        [&](auto i) { return function(__at<T, i.value>(a)); });                \
  }
__BSM_PREDICATE(isnan, __isNan)
__BSM_PREDICATE(isinf, __isInf)
__BSM_PREDICATE(isfinite, __isFinite)
__BSM_PREDICATE(isnormal, __isNormal)
__BSM_PREDICATE(signbit, __isNegative)
#undef __BSM_PREDICATE

template <typename A, typename B,
          typename = enable_if_t<__areOperands<A, B>>>
constexpr auto isordered(A a, B b) {
  return !(isnan(a) || isnan(b));
}
template <typename A, typename B,
          typename = enable_if_t<__areOperands<A, B>>>
constexpr auto isunordered(A a, B b) {
  return isnan(a) || isnan(b);
}

constexpr bool any(bool a) { return a; }
constexpr bool all(bool a) { return a; }
constexpr bool any(bool2 a) { return a.x || a.y; }
constexpr bool all(bool2 a) { return a.x && a.y; }
constexpr bool any(bool3 a) { return a.x || a.y || a.z; }
constexpr bool all(bool3 a) { return a.x && a.y && a.z; }
constexpr bool any(bool4 a) { return a.x || a.y || a.z || a.w; }
constexpr bool all(bool4 a) { return a.x && a.y && a.z && a.w; }

// select(a, b, c): c ? b : a, per component.
template <typename A, typename B, typename C,
          typename = enable_if_t<__areOperands<A, B, C>>>
constexpr auto select(A a, B b, C c) {
  using scalar = __number2<__element<A>, __element<B>>;
  using T = typename __operandElement<scalar, A, B>::type;
  return __map<T, __commonWidth<A, B, C>>([&](auto i) {
    return (bool)__part<i.value>(c) ? __at<T, i.value>(b) : __at<T, i.value>(a);
  });
}

} // namespace metal

// Reinterprets the bits of a scalar or vector.
template <typename To, typename From> constexpr To as_type(From from) {
  static_assert(sizeof(To) == sizeof(From),
                "as_type needs types of the same size");
  if constexpr (sizeof(To) == sizeof(From)) // One error is enough.
    return __builtin_bit_cast(To, from);
}
namespace metal {
using ::as_type;
}
