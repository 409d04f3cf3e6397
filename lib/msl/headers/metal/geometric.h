// Geometric functions of vectors.
#pragma once

namespace metal {

// half and bfloat accumulate in float.
template <typename T, int N> constexpr float __dotWide(vec<T, N> a, vec<T, N> b) {
  float sum = (float)a.x * (float)b.x + (float)a.y * (float)b.y;
  if constexpr (N > 2)
    sum += (float)a.z * (float)b.z;
  if constexpr (N > 3)
    sum += (float)a.w * (float)b.w;
  return sum;
}
template <typename T, int N> constexpr T dot(vec<T, N> a, vec<T, N> b) {
  static_assert(is_floating_point_v<T>, "dot takes floating-point vectors");
  return (T)__dotWide(a, b);
}
template <typename T, int N> constexpr T length_squared(vec<T, N> a) {
  return dot(a, a);
}
template <typename T, int N>
constexpr T distance_squared(vec<T, N> a, vec<T, N> b) {
  return length_squared(a - b);
}
template <typename T> constexpr vec<T, 3> cross(vec<T, 3> a, vec<T, 3> b) {
  return vec<T, 3>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                   a.x * b.y - a.y * b.x);
}

#define __BSM_LENGTHS                                                          \
  template <typename T, int N> inline T length(vec<T, N> a) {                  \
    return (T)sqrt(__dotWide(a, a));                                           \
  }                                                                            \
  template <typename T, int N> inline T distance(vec<T, N> a, vec<T, N> b) {   \
    return length(a - b);                                                      \
  }                                                                            \
  template <typename T, int N> inline vec<T, N> normalize(vec<T, N> a) {       \
    float scale = rsqrt(__dotWide(a, a));                                      \
    return __map<T, N>(                                                        \
        [&](auto i) { return (T)(__at<float, i.value>(a) * scale); });         \
  }
namespace fast {
__BSM_LENGTHS
}
namespace precise {
__BSM_LENGTHS
}
__BSM_LENGTHS
#undef __BSM_LENGTHS

template <typename T, int N>
inline vec<T, N> reflect(vec<T, N> incident, vec<T, N> normal) {
  vec<T, N> unit = normalize(normal);
  return incident - unit * (T(2) * dot(unit, incident));
}
template <typename T, int N>
inline vec<T, N> refract(vec<T, N> incident, vec<T, N> normal,
                         type_identity_t<T> eta) {
  T cosine = dot(normal, incident);
  T k = T(1) - eta * eta * (T(1) - cosine * cosine);
  if (k < T(0))
    return vec<T, N>(T(0));
  return incident * eta - normal * (eta * cosine + sqrt(k));
}
template <typename T, int N>
inline vec<T, N> faceforward(vec<T, N> normal, vec<T, N> incident,
                             vec<T, N> reference) {
  return dot(reference, incident) < T(0) ? normal : -normal;
}

} // namespace metal
