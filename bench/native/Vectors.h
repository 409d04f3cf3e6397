//===- Vectors.h - Vectors of the machine's width ---------------*- C++ -*-===//
#ifndef BESSEMER_BENCH_VECTORS_H
#define BESSEMER_BENCH_VECTORS_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace peers {

#if defined(__AVX512F__)
constexpr int width = 16;
#elif defined(__AVX__)
constexpr int width = 8;
#else
constexpr int width = 4;
#endif
constexpr int accumulators = 8; // hides the latency of an addition

using Vector = float __attribute__((ext_vector_type(width)));
using Integers = int32_t __attribute__((ext_vector_type(width)));
using Halves = _Float16 __attribute__((ext_vector_type(width)));

template <typename V, typename T> V load(const T *p) {
  V v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}
template <typename V, typename T> void store(T *p, V v) {
  std::memcpy(p, &v, sizeof(v));
}

inline float sumLanes(Vector v) {
  float sum = 0;
  for (int l = 0; l < width; ++l)
    sum += v[l];
  return sum;
}

/// exp by range reduction to [-ln2/2, ln2/2] and a polynomial of degree 6.
inline Vector expVector(Vector x) {
  x = __builtin_elementwise_min(__builtin_elementwise_max(x, Vector(-87.3f)),
                                Vector(88.3f));
  Vector n = __builtin_elementwise_rint(x * 1.44269504f);
  Vector r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  Vector p = Vector(1.f / 720);
  for (float c : {1.f / 120, 1.f / 24, 1.f / 6, 0.5f, 1.f, 1.f})
    p = p * r + c;
  Integers bits = (__builtin_convertvector(n, Integers) + 127) << 23;
  return p * __builtin_bit_cast(Vector, bits);
}

} // namespace peers

#endif // BESSEMER_BENCH_VECTORS_H
