// vec<T, N>: scalars side by side. Swizzles are properties (generated file).
#pragma once
#include <metal/swizzles.h>

namespace metal {

// Widths beyond 4 are plain storage with subscripts.
template <typename T, int N> struct vec {
  using value_type = T;
  vec() = default;
  constexpr vec(T value) {
    for (int i = 0; i < N; ++i)
      elements[i] = value;
  }
  template <typename I> constexpr T &operator[](I i) { return elements[i]; }
  template <typename I> constexpr const T &operator[](I i) const {
    return elements[i];
  }

private:
  T elements[N];
};
template <typename T, int N> struct packed_vec;

template <typename T> struct __vector_traits {
  using element = remove_addrspace_t<remove_cv_t<T>>;
  static constexpr int width = 1;
  static constexpr bool isVector = false;
};
template <typename T> struct __vector_traits<const T> : __vector_traits<T> {};
template <typename T, int N> struct __vector_traits<vec<T, N>> {
  using element = T;
  static constexpr int width = N;
  static constexpr bool isVector = true;
};
template <typename T, int N>
struct __vector_traits<packed_vec<T, N>> : __vector_traits<vec<T, N>> {};

template <typename T> struct vec_elements
    : integral_constant<int, __vector_traits<T>::width> {};

template <typename T>
constexpr bool __isNumber =
    (is_arithmetic_v<T> && !is_vector_v<T>) || __is_enum(T);

// Component `i` of an operand; of a scalar, itself.
template <int i, typename A> constexpr auto __part(A a) {
  if constexpr (!__vector_traits<A>::isVector)
    return a;
  else if constexpr (i == 0)
    return a.x;
  else if constexpr (i == 1)
    return a.y;
  else if constexpr (i == 2)
    return a.z;
  else
    return a.w;
}
// Component `i` of a constructor's flattened arguments, as T.
template <int i, typename T> constexpr T __pick() { return T(0); }
template <int i, typename T, typename A, typename... R>
constexpr T __pick(A a, R... rest) {
  constexpr int width = __vector_traits<A>::width;
  if constexpr (i < width)
    return (T)__part<i>(a);
  else
    return __pick<i - width, T>(rest...);
}

// `adjust`: what stands before the second operand.
#define __BSM_VECTOR_BINARY_OF(op, adjust)                                     \
  friend constexpr vec<T, N> operator op(vec<T, N> a, vec<T, N> b) {           \
    vec<T, N> r;                                                               \
    r.x = (T)(a.x op(adjust b.x));                                             \
    r.y = (T)(a.y op(adjust b.y));                                             \
    if constexpr (N > 2)                                                       \
      r.z = (T)(a.z op(adjust b.z));                                           \
    if constexpr (N > 3)                                                       \
      r.w = (T)(a.w op(adjust b.w));                                           \
    return r;                                                                  \
  }
#define __BSM_VECTOR_BINARY(op) __BSM_VECTOR_BINARY_OF(op, )
// Counts are taken modulo the width of an element.
#define __BSM_VECTOR_SHIFT(op)                                                 \
  __BSM_VECTOR_BINARY_OF(op, (T)(8 * sizeof(T) - 1) &)
#define __BSM_VECTOR_COMPARE(op)                                               \
  friend constexpr vec<bool, N> operator op(vec<T, N> a, vec<T, N> b) {        \
    vec<bool, N> r;                                                            \
    r.x = a.x op b.x;                                                          \
    r.y = a.y op b.y;                                                          \
    if constexpr (N > 2)                                                       \
      r.z = a.z op b.z;                                                        \
    if constexpr (N > 3)                                                       \
      r.w = a.w op b.w;                                                        \
    return r;                                                                  \
  }
#define __BSM_VECTOR_UNARY(op, R)                                              \
  friend constexpr vec<R, N> operator op(vec<T, N> a) {                        \
    vec<R, N> r;                                                               \
    r.x = (R)(op a.x);                                                         \
    r.y = (R)(op a.y);                                                         \
    if constexpr (N > 2)                                                       \
      r.z = (R)(op a.z);                                                       \
    if constexpr (N > 3)                                                       \
      r.w = (R)(op a.w);                                                       \
    return r;                                                                  \
  }

// Operators of vec and packed_vec, found through either.
template <typename T, int N> struct __vector_operators {
  __BSM_VECTOR_BINARY(+)
  __BSM_VECTOR_BINARY(-)
  __BSM_VECTOR_BINARY(*)
  __BSM_VECTOR_BINARY(/)
  __BSM_VECTOR_BINARY(%)
  __BSM_VECTOR_BINARY(&)
  __BSM_VECTOR_BINARY(|)
  __BSM_VECTOR_BINARY(^)
  __BSM_VECTOR_SHIFT(<<)
  __BSM_VECTOR_SHIFT(>>)
  __BSM_VECTOR_COMPARE(==)
  __BSM_VECTOR_COMPARE(!=)
  __BSM_VECTOR_COMPARE(<)
  __BSM_VECTOR_COMPARE(<=)
  __BSM_VECTOR_COMPARE(>)
  __BSM_VECTOR_COMPARE(>=)
  __BSM_VECTOR_COMPARE(&&)
  __BSM_VECTOR_COMPARE(||)
  __BSM_VECTOR_UNARY(-, T)
  __BSM_VECTOR_UNARY(+, T)
  __BSM_VECTOR_UNARY(~, T)
  __BSM_VECTOR_UNARY(!, bool)
};
#undef __BSM_VECTOR_BINARY_OF
#undef __BSM_VECTOR_BINARY
#undef __BSM_VECTOR_SHIFT
#undef __BSM_VECTOR_COMPARE
#undef __BSM_VECTOR_UNARY

#define __BSM_VECTOR_ASSIGN(name, op)                                          \
  constexpr name &operator op##=(vec<T, __width> b) {                          \
    return *this = vec<T, __width>(*this) op b;                                \
  }
#define __BSM_VECTOR_ASSIGNS(name)                                             \
  __BSM_VECTOR_ASSIGN(name, +)                                                 \
  __BSM_VECTOR_ASSIGN(name, -)                                                 \
  __BSM_VECTOR_ASSIGN(name, *)                                                 \
  __BSM_VECTOR_ASSIGN(name, /)                                                 \
  __BSM_VECTOR_ASSIGN(name, %)                                                 \
  __BSM_VECTOR_ASSIGN(name, &)                                                 \
  __BSM_VECTOR_ASSIGN(name, |)                                                 \
  __BSM_VECTOR_ASSIGN(name, ^)                                                 \
  __BSM_VECTOR_ASSIGN(name, <<)                                                \
  __BSM_VECTOR_ASSIGN(name, >>)                                                \
  constexpr name &operator++() { return *this += vec<T, __width>(T(1)); }      \
  constexpr name &operator--() { return *this -= vec<T, __width>(T(1)); }      \
  constexpr vec<T, __width> operator++(int) {                                  \
    vec<T, __width> old = *this;                                               \
    ++*this;                                                                   \
    return old;                                                                \
  }                                                                            \
  constexpr vec<T, __width> operator--(int) {                                  \
    vec<T, __width> old = *this;                                               \
    --*this;                                                                   \
    return old;                                                                \
  }

// Members that all widths of vec and packed_vec share. A constructor with
// several arguments takes any mix of scalars and vectors that fills it; only an
// initialiser list may leave components out (Strictness.cpp), which are 0.
#define __BSM_VECTOR_MEMBERS(name, other)                                      \
  using value_type = T;                                                        \
  name() = default;                                                            \
  template <typename U, typename = enable_if_t<__isNumber<U>>>                 \
  constexpr name(U value) { __fill((T)value); }                                \
  template <typename U>                                                        \
  explicit constexpr name(vec<U, __width> v) { __take(v); }                    \
  template <typename U>                                                        \
  explicit constexpr name(packed_vec<U, __width> v) { __take(v); }             \
  constexpr name(other<T, __width> v) { __take(v); }                           \
  template <                                                                   \
      typename A, typename B, typename... R,                                   \
      typename = enable_if_t<((__vector_traits<A>::width +                     \
                               __vector_traits<B>::width) + ... +              \
                              __vector_traits<R>::width) <= __width>>          \
  constexpr name(A a, B b, R... rest) { __take(a, b, rest...); }               \
  template <typename I> constexpr T &operator[](I i) { return (&x)[i]; }       \
  template <typename I> constexpr const T &operator[](I i) const {             \
    return (&x)[i];                                                            \
  }                                                                            \
  __BSM_VECTOR_ASSIGNS(name)

// The components, and what constructors set them with. No constructor delegates
// to another: Clang would load those of all vectors for every source.
#define __BSM_COMPONENTS2                                                      \
  T x, y;                                                                      \
  static constexpr int __width = 2;                                            \
  constexpr void __fill(T v) { x = y = v; }                                    \
  template <typename... A> constexpr void __take(A... a) {                     \
    x = __pick<0, T>(a...), y = __pick<1, T>(a...);                            \
  }
#define __BSM_COMPONENTS3                                                      \
  T x, y, z;                                                                   \
  static constexpr int __width = 3;                                            \
  constexpr void __fill(T v) { x = y = z = v; }                                \
  template <typename... A> constexpr void __take(A... a) {                     \
    x = __pick<0, T>(a...), y = __pick<1, T>(a...), z = __pick<2, T>(a...);    \
  }
#define __BSM_COMPONENTS4                                                      \
  T x, y, z, w;                                                                \
  static constexpr int __width = 4;                                            \
  constexpr void __fill(T v) { x = y = z = w = v; }                            \
  template <typename... A> constexpr void __take(A... a) {                     \
    x = __pick<0, T>(a...), y = __pick<1, T>(a...), z = __pick<2, T>(a...);    \
    w = __pick<3, T>(a...);                                                    \
  }

template <typename T>
struct alignas(2 * sizeof(T)) vec<T, 2> : __vector_operators<T, 2> {
  __BSM_COMPONENTS2
  __BSM_VECTOR_MEMBERS(vec, packed_vec)
  __BSM_SWIZZLES2
};
template <typename T>
struct alignas(4 * sizeof(T)) vec<T, 3> : __vector_operators<T, 3> {
  __BSM_COMPONENTS3
  __BSM_VECTOR_MEMBERS(vec, packed_vec)
  __BSM_SWIZZLES3
};
template <typename T>
struct alignas(4 * sizeof(T)) vec<T, 4> : __vector_operators<T, 4> {
  __BSM_COMPONENTS4
  __BSM_VECTOR_MEMBERS(vec, packed_vec)
  __BSM_SWIZZLES4
};

} // namespace metal
