// What the front end puts around expressions (SourceEdits.h). Each leaves alone
// what it is not for: a template's text is one for all of its instances.
#pragma once

namespace metal {

// A copy, in place of an operand of ?:.
template <typename T> constexpr T __value(T object) { return object; }

// An argument: a half, bfloat or float as an H, B or F.
template <typename H, typename B, typename F, typename T>
constexpr decltype(auto) __argument(T &&object) {
  using From = remove_cvref_t<T>;
  if constexpr (is_same_v<From, half> && !is_same_v<H, half>)
    return H(object);
  else if constexpr (is_same_v<From, bfloat> && !is_same_v<B, bfloat>)
    return B(object);
  else if constexpr (is_same_v<From, float> && !is_same_v<F, float>)
    return F(object);
  else
    return static_cast<T &&>(object);
}

// An object of class T that becomes a D by way of its `operator V`, and any
// other number in its own way.
template <typename D, typename V, typename T> struct __converted {
  T object;
  template <typename U, typename = enable_if_t<__is_arithmetic(U)>>
  constexpr operator U() {
    if constexpr (is_same_v<U, D>)
      return D(object.operator V());
    else
      return U(object);
  }
};

template <typename D, typename V, typename T>
constexpr auto __convert(T object, int)
    -> decltype(object.operator V(), __converted<D, V, T>{object}) {
  return {object};
}
template <typename D, typename V, typename T>
constexpr T __convert(T object, ...) {
  return object;
}
template <typename D, typename V, typename T>
constexpr auto __conversion(T object) {
  return __convert<D, V>(object, 0);
}

} // namespace metal
