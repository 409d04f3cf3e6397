// array<T, N>.
#pragma once

namespace metal {

template <typename T, size_t N> struct array {
  using value_type = T;
  T __elements[N];
  constexpr T &operator[](size_t i) { return __elements[i]; }
  constexpr const T &operator[](size_t i) const { return __elements[i]; }
  static constexpr size_t size() { return N; }
  constexpr bool empty() const { return false; }
  constexpr T *data() { return __elements; }
  constexpr const T *data() const { return __elements; }
  constexpr T *begin() { return __elements; }
  constexpr T *end() { return __elements + N; }
  constexpr const T *begin() const { return __elements; }
  constexpr const T *end() const { return __elements + N; }
};

} // namespace metal
