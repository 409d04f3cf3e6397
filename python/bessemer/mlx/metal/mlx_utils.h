// What a custom kernel of MLX finds around it: names of types, indexing.
#pragma once
#include <metal_stdlib>
using namespace metal;

#define MLX_MTL_CONST static constant constexpr const
#define MLX_MTL_LOOP_UNROLL _Pragma("clang loop unroll(full)")
#define MLX_MTL_PRAGMA_UNROLL _Pragma("clang loop unroll(full)")

typedef half float16_t;
typedef bfloat bfloat16_t;

struct complex64_t {
  float real, imag;
  complex64_t() = default;
  constexpr complex64_t(float real, float imag) : real(real), imag(imag) {}
  template <typename T, typename = enable_if_t<is_arithmetic_v<T>>>
  constexpr complex64_t(T real) : real(real), imag(0) {}
};
constexpr complex64_t operator-(complex64_t a) { return {-a.real, -a.imag}; }
constexpr complex64_t operator+(complex64_t a, complex64_t b) {
  return {a.real + b.real, a.imag + b.imag};
}
constexpr complex64_t operator-(complex64_t a, complex64_t b) {
  return {a.real - b.real, a.imag - b.imag};
}
constexpr complex64_t operator*(complex64_t a, complex64_t b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
constexpr complex64_t operator/(complex64_t a, complex64_t b) {
  float d = b.real * b.real + b.imag * b.imag;
  return {(a.real * b.real + a.imag * b.imag) / d,
          (a.imag * b.real - a.real * b.imag) / d};
}
constexpr bool operator==(complex64_t a, complex64_t b) {
  return a.real == b.real && a.imag == b.imag;
}
constexpr bool operator!=(complex64_t a, complex64_t b) { return !(a == b); }

// `min` and `max` of floating types are the infinities.
template <typename T> struct Limits {
  static constexpr constant bool __infinite = is_floating_point_v<T>;
  static constexpr constant T finite_max = numeric_limits<T>::max();
  static constexpr constant T finite_min = numeric_limits<T>::lowest();
  static constexpr constant T max =
      __infinite ? numeric_limits<T>::infinity() : finite_max;
  static constexpr constant T min =
      __infinite ? T(-numeric_limits<T>::infinity()) : finite_min;
};

template <typename T, typename U> constexpr T ceildiv(T n, U m) {
  return (n + m - 1) / m;
}

// The place of an element in a row-major walk over `shape`.
template <typename I = int64_t>
inline I elem_to_loc(I elem, constant int *shape, constant int64_t *strides,
                     int ndim) {
  I place = 0;
  for (int d = ndim - 1; d >= 0; --d) {
    place += (elem % shape[d]) * I(strides[d]);
    elem /= shape[d];
  }
  return place;
}

// x and y are the last two dimensions, z is all the others.
template <typename I = int64_t>
inline I elem_to_loc(uint3 elem, constant int *shape, constant int64_t *strides,
                     int ndim) {
  return elem.x * I(strides[ndim - 1]) + elem.y * I(strides[ndim - 2]) +
         elem_to_loc(I(elem.z), shape, strides, ndim - 2);
}

template <typename I = int64_t>
inline I elem_to_loc_1(uint elem, constant int64_t &stride) {
  return elem * I(stride);
}
template <typename I = int64_t>
inline I elem_to_loc_2(uint2 elem, constant int64_t *strides) {
  return elem.y * I(strides[0]) + elem.x * I(strides[1]);
}
template <typename I = int64_t>
inline I elem_to_loc_3(uint3 elem, constant int64_t *strides) {
  return elem.z * I(strides[0]) + elem.y * I(strides[1]) + elem.x * I(strides[2]);
}

inline float log1p(float x) {
  float sum = 1 + x;
  if (sum == 1 || isinf(sum))
    return x;
  return x * (precise::log(sum) / (sum - 1));
}
inline half log1p(half x) { return half(log1p(float(x))); }
inline bfloat log1p(bfloat x) { return bfloat(log1p(float(x))); }
