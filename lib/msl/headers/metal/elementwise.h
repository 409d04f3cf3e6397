// How functions of scalars extend to vectors and to mixed operands.
#pragma once

namespace metal {

template <typename T>
using __element = typename __vector_traits<remove_cvref_t<T>>::element;
template <typename T>
constexpr int __widthOf = __vector_traits<remove_cvref_t<T>>::width;

// vec<T, N>, or T where N = 1.
template <typename T, int N> struct __shaped { using type = vec<T, N>; };
template <typename T> struct __shaped<T, 1> { using type = T; };
template <typename T, int N>
using __shape = typename __shaped<remove_cvref_t<T>, N>::type;

// The floating type in which a function of A computes: itself, or float for
// integers.
template <typename A>
using __float1 = conditional_t<is_floating_point_v<A>, A, float>;
// The common floating type of two scalars; an integer adapts to the other.
template <typename A, typename B>
using __float2 = conditional_t<
    !is_floating_point_v<A>, __float1<B>,
    conditional_t<!is_floating_point_v<B> || is_same_v<A, B>, A, float>>;
template <typename A, typename B, typename C>
using __float3 = __float2<__float2<A, B>,
                          conditional_t<is_floating_point_v<C>, C,
                                        __float2<A, B>>>;
// The common type of numbers as C++ converts them; half with bfloat is float.
template <typename A, typename B, bool same = is_same_v<A, B>,
          bool floats = is_floating_point_v<A> && is_floating_point_v<B>>
struct __common {
  using type = decltype(declval<A>() + declval<B>());
};
template <typename A, typename B> struct __common<A, B, false, true> {
  using type = float;
};
template <typename A, bool floats> struct __common<A, A, true, floats> {
  using type = A;
};
template <typename A, typename B>
using __number2 = typename __common<A, B>::type;

// With a vector operand its element type rules; else `scalars`.
template <typename scalars, typename... A> struct __operandElement {
  using type = scalars;
};
template <typename scalars, typename A, typename... R>
struct __operandElement<scalars, A, R...> {
  using type =
      conditional_t<is_vector_v<A>, __element<A>,
                    typename __operandElement<scalars, R...>::type>;
};

constexpr int __widest(int a) { return a; }
template <typename... R> constexpr int __widest(int a, int b, R... rest) {
  return __widest(a > b ? a : b, rest...);
}
template <typename... A> constexpr int __commonWidth = __widest(__widthOf<A>...);

// Whether all operands are numbers or vectors, of one width beside scalars.
template <typename A>
constexpr bool __isOperand = is_arithmetic_v<A> || __is_enum(A);
template <typename... A>
constexpr bool __areOperands =
    ((__isOperand<A> && (__widthOf<A> == 1 ||
                         __widthOf<A> == __commonWidth<A...>)) && ...);

// Component `i` of an operand, as T.
template <typename T, int i, typename A> constexpr T __at(A a) {
  return (T)__part<i>(a);
}
// f<0>(), f<1>() ... as a vector, or f<0>() alone.
template <typename T, int N, typename F> constexpr auto __map(F f) {
  if constexpr (N == 1) {
    return (T)f(integral_constant<int, 0>());
  } else {
    vec<T, N> r;
    r.x = f(integral_constant<int, 0>());
    r.y = f(integral_constant<int, 1>());
    if constexpr (N > 2)
      r.z = f(integral_constant<int, 2>());
    if constexpr (N > 3)
      r.w = f(integral_constant<int, 3>());
    return r;
  }
}

} // namespace metal
