// Minimum, maximum, clamp and absolute value of every number type.
#pragma once

namespace metal {

template <typename T> constexpr T __minimum(T a, T b) {
  if constexpr (is_floating_point_v<T>)
    return (T)__builtin_elementwise_minnum((float)a, (float)b);
  else
    return b < a ? b : a;
}
template <typename T> constexpr T __maximum(T a, T b) {
  if constexpr (is_floating_point_v<T>)
    return (T)__builtin_elementwise_maxnum((float)a, (float)b);
  else
    return a < b ? b : a;
}
template <typename T> constexpr T __absolute(T a) {
  if constexpr (is_floating_point_v<T>)
    return (T)__builtin_elementwise_abs((float)a);
  else
    return a < 0 ? (T)(0 - a) : a;
}

#define __BSM_EXTREMUM(name, function)                                         \
  template <typename A, typename B,                                            \
            typename = enable_if_t<__areOperands<A, B>>>                       \
  constexpr auto name(A a, B b) {                                              \
    using scalar = __number2<__element<A>, __element<B>>;                      \
    using T = typename __operandElement<scalar, A, B>::type;                   \
    if constexpr (__commonWidth<A, B> == 1)                                    \
      return function((T)a, (T)b);                       \
    else                                                                       \
      return __map<T, __commonWidth<A, B>>([&](auto i) {                       \
        return function(__at<T, i.value>(a), __at<T, i.value>(b));             \
      });                                                                      \
  }
__BSM_EXTREMUM(min, __minimum)
__BSM_EXTREMUM(max, __maximum)
#undef __BSM_EXTREMUM

template <typename A, typename = enable_if_t<__areOperands<A>>>
constexpr auto abs(A a) {
  return __map<__element<A>, __widthOf<A>>(
      [&](auto i) { return __absolute(__part<i.value>(a)); });
}
template <typename A, typename B, typename C,
          typename = enable_if_t<__areOperands<A, B, C>>>
constexpr auto clamp(A a, B low, C high) {
  return min(max(a, low), high);
}
template <typename A, typename B, typename C,
          typename = enable_if_t<__areOperands<A, B, C>>>
constexpr auto min3(A a, B b, C c) {
  return min(min(a, b), c);
}
template <typename A, typename B, typename C,
          typename = enable_if_t<__areOperands<A, B, C>>>
constexpr auto max3(A a, B b, C c) {
  return max(max(a, b), c);
}
template <typename A, typename B, typename C,
          typename = enable_if_t<__areOperands<A, B, C>>>
constexpr auto median3(A a, B b, C c) {
  return max(min(a, b), min(max(a, b), c));
}

namespace fast {
using metal::abs;
using metal::clamp;
using metal::max;
using metal::max3;
using metal::median3;
using metal::min;
using metal::min3;
} // namespace fast
namespace precise {
using metal::abs;
using metal::clamp;
using metal::max;
using metal::max3;
using metal::median3;
using metal::min;
using metal::min3;
} // namespace precise

} // namespace metal
