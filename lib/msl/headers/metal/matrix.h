// matrix<T, C, R>: C columns of R rows.
#pragma once

namespace metal {

// An argument that gives a column: what converts to a vector, or its elements in
// braces.
template <typename T, int R> struct __matrix_column {
  constexpr __matrix_column(vec<T, R> v) : value(v) {}
  template <typename V, typename = enable_if_t<!__isNumber<V> &&
                                               is_convertible_v<V, vec<T, R>>>>
  constexpr __matrix_column(V v) : value(v) {}
  template <typename... A,
            typename = enable_if_t<sizeof...(A) + 2 == R &&
                                   (__isNumber<A> && ...)>>
  constexpr __matrix_column(T first, T second, A... rest)
      : value(first, second, (T)rest...) {}

  vec<T, R> value;
};
// Of a constructor for another number of columns.
template <int C> struct __no_column;

template <typename T, int C, int R> struct matrix {
  using value_type = T;
  using __column = vec<T, R>;
  template <int N>
  using __of = conditional_t<C == N, __matrix_column<T, R>, __no_column<N>>;

  matrix() = default;
  constexpr explicit matrix(T diagonal) : __columns{} {
    for (int c = 0; c < C; ++c) {
      T values[R] = {};
      if (c < R)
        values[c] = diagonal;
      __columns[c] = __columnOf(values);
    }
  }
  constexpr matrix(__of<2> a, __of<2> b) : __columns{a.value, b.value} {}
  constexpr matrix(__of<3> a, __of<3> b, __of<3> c)
      : __columns{a.value, b.value, c.value} {}
  constexpr matrix(__of<4> a, __of<4> b, __of<4> c, __of<4> d)
      : __columns{a.value, b.value, c.value, d.value} {}
  template <typename... A,
            typename = enable_if_t<sizeof...(A) + 2 == C * R &&
                                   (__isNumber<A> && ...)>>
  constexpr matrix(T first, T second, A... rest) : __columns{} {
    T values[] = {first, second, (T)rest...};
    for (int c = 0; c < C; ++c)
      __columns[c] = __columnOf(values + c * R);
  }
  template <typename U>
  explicit constexpr matrix(matrix<U, C, R> other) : __columns{} {
    for (int c = 0; c < C; ++c)
      __columns[c] = __column(other[c]);
  }

  constexpr __column &operator[](int c) { return __columns[c]; }
  constexpr const __column &operator[](int c) const { return __columns[c]; }

  // Constant expressions cannot write to an element of a vector.
  static constexpr __column __columnOf(const T *values) {
    if constexpr (R == 2)
      return __column(values[0], values[1]);
    else if constexpr (R == 3)
      return __column(values[0], values[1], values[2]);
    else
      return __column(values[0], values[1], values[2], values[3]);
  }

  __column __columns[C];
};

#define __BSM_MATRIX_EACH(expression)                                          \
  matrix<T, C, R> result;                                                      \
  for (int c = 0; c < C; ++c)                                                  \
    result[c] = expression;                                                    \
  return result;
template <typename T, int C, int R>
constexpr matrix<T, C, R> operator+(matrix<T, C, R> a, matrix<T, C, R> b) {
  __BSM_MATRIX_EACH(a[c] + b[c])
}
template <typename T, int C, int R>
constexpr matrix<T, C, R> operator-(matrix<T, C, R> a, matrix<T, C, R> b) {
  __BSM_MATRIX_EACH(a[c] - b[c])
}
template <typename T, int C, int R>
constexpr matrix<T, C, R> operator-(matrix<T, C, R> a) {
  __BSM_MATRIX_EACH(-a[c])
}
template <typename T, int C, int R>
constexpr matrix<T, C, R> operator*(matrix<T, C, R> a, type_identity_t<T> s) {
  __BSM_MATRIX_EACH(a[c] * s)
}
template <typename T, int C, int R>
constexpr matrix<T, C, R> operator*(type_identity_t<T> s, matrix<T, C, R> a) {
  return a * s;
}
template <typename T, int C, int R>
constexpr matrix<T, C, R> operator/(matrix<T, C, R> a, type_identity_t<T> s) {
  __BSM_MATRIX_EACH(a[c] / s)
}
#undef __BSM_MATRIX_EACH

template <typename T, int C, int R>
constexpr vec<T, R> operator*(matrix<T, C, R> a, vec<T, C> v) {
  vec<T, R> sum = a[0] * v[0];
  for (int c = 1; c < C; ++c)
    sum += a[c] * v[c];
  return sum;
}
template <typename T, int C, int R>
constexpr vec<T, C> operator*(vec<T, R> v, matrix<T, C, R> a) {
  vec<T, C> result;
  for (int c = 0; c < C; ++c)
    result[c] = dot(v, a[c]);
  return result;
}
template <typename T, int C, int R, int K>
constexpr matrix<T, K, R> operator*(matrix<T, C, R> a, matrix<T, K, C> b) {
  matrix<T, K, R> result;
  for (int k = 0; k < K; ++k)
    result[k] = a * b[k];
  return result;
}
template <typename T, int C, int R>
constexpr bool operator==(matrix<T, C, R> a, matrix<T, C, R> b) {
  bool equal = true;
  for (int c = 0; c < C; ++c)
    equal = equal && all(a[c] == b[c]);
  return equal;
}
template <typename T, int C, int R>
constexpr bool operator!=(matrix<T, C, R> a, matrix<T, C, R> b) {
  return !(a == b);
}
template <typename T, int C, int R, typename B>
constexpr matrix<T, C, R> &operator+=(matrix<T, C, R> &a, B b) {
  return a = a + b;
}
template <typename T, int C, int R, typename B>
constexpr matrix<T, C, R> &operator-=(matrix<T, C, R> &a, B b) {
  return a = a - b;
}
template <typename T, int C, int R, typename B>
constexpr matrix<T, C, R> &operator*=(matrix<T, C, R> &a, B b) {
  return a = a * b;
}

template <typename T, int C, int R>
constexpr matrix<T, R, C> transpose(matrix<T, C, R> a) {
  matrix<T, R, C> result;
  for (int c = 0; c < C; ++c)
    for (int r = 0; r < R; ++r)
      result[r][c] = a[c][r];
  return result;
}
template <typename T> constexpr T determinant(matrix<T, 2, 2> a) {
  return a[0][0] * a[1][1] - a[1][0] * a[0][1];
}
template <typename T> constexpr T determinant(matrix<T, 3, 3> a) {
  return dot(a[0], cross(a[1], a[2]));
}
template <typename T> constexpr T determinant(matrix<T, 4, 4> a) {
  T sum = T(0);
  for (int c = 0; c < 4; ++c) {
    matrix<T, 3, 3> minor;
    for (int k = 0, to = 0; k < 4; ++k)
      if (k != c)
        minor[to++] = vec<T, 3>(a[k].y, a[k].z, a[k].w);
    T term = a[c].x * determinant(minor);
    sum += c % 2 ? -term : term;
  }
  return sum;
}

} // namespace metal

#define __BSM_MATRIX_NAME(T, C, R)                                             \
  typedef metal::matrix<T, C, R> T##C##x##R;                                   \
  namespace metal {                                                            \
  using ::T##C##x##R;                                                          \
  }
#define __BSM_MATRIX_NAMES(T)                                                  \
  __BSM_MATRIX_NAME(T, 2, 2)                                                   \
  __BSM_MATRIX_NAME(T, 2, 3)                                                   \
  __BSM_MATRIX_NAME(T, 2, 4)                                                   \
  __BSM_MATRIX_NAME(T, 3, 2)                                                   \
  __BSM_MATRIX_NAME(T, 3, 3)                                                   \
  __BSM_MATRIX_NAME(T, 3, 4)                                                   \
  __BSM_MATRIX_NAME(T, 4, 2)                                                   \
  __BSM_MATRIX_NAME(T, 4, 3)                                                   \
  __BSM_MATRIX_NAME(T, 4, 4)
__BSM_MATRIX_NAMES(float)
__BSM_MATRIX_NAMES(half)
__BSM_MATRIX_NAMES(bfloat)
#undef __BSM_MATRIX_NAMES
#undef __BSM_MATRIX_NAME
