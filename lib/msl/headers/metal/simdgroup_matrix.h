// simdgroup_matrix: an 8x8 matrix over the lanes of a simdgroup, two adjacent
// elements of a row in each lane.
#pragma once



namespace metal {

// The row and the first column of a lane, and the lane of an element.
inline uint __matrixRow() {
  uint lane = __laneIndex();
  return (lane >> 2 & 4u) + (lane >> 1 & 3u);
}
inline uint __matrixColumn() {
  uint lane = __laneIndex();
  return (lane >> 1 & 4u) + (lane << 1 & 2u);
}
inline uint __matrixLane(uint row, uint column) {
  return (row & 4u) << 2 | (column & 4u) << 1 | (row & 3u) << 1 |
         (column >> 1 & 1u);
}

template <typename T, int C, int R = C> struct simdgroup_matrix {
  static_assert(C == 8 && R == 8, "simdgroup matrices are 8x8");
  static_assert(is_floating_point_v<T>,
                "simdgroup matrices hold float, half or bfloat");
  using storage_type = vec<T, 2>;

  simdgroup_matrix() = default;
  explicit simdgroup_matrix(T diagonal) {
    uint row = __matrixRow(), column = __matrixColumn();
    elements = vec<T, 2>(row == column ? diagonal : T(0),
                         row == column + 1 ? diagonal : T(0));
  }
  vec<T, 2> &thread_elements() { return elements; }
  const vec<T, 2> &thread_elements() const { return elements; }

private:
  vec<T, 2> elements;
};

typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;

template <typename T, int C, int R = C>
inline simdgroup_matrix<T, C, R> make_filled_simdgroup_matrix(T value) {
  simdgroup_matrix<T, C, R> result;
  result.thread_elements() = vec<T, 2>(value);
  return result;
}
template <typename T, int C, int R = C>
inline simdgroup_matrix<T, C, R> make_diagonal_simdgroup_matrix(T value) {
  return simdgroup_matrix<T, C, R>(value);
}

#define __BSM_MATRIX_MEMORY(S)                                                 \
  template <typename T, int C, int R>                                          \
  inline void simdgroup_load(simdgroup_matrix<T, C, R> &matrix,                \
                             const S T *source, ulong stride = C,              \
                             ulong2 origin = 0, bool transposed = false) {     \
    ulong row = __matrixRow(), column = __matrixColumn();                      \
    source += origin.y * stride + origin.x;                                    \
    if (transposed)                                                            \
      matrix.thread_elements() = vec<T, 2>(                                    \
          source[column * stride + row], source[(column + 1) * stride + row]); \
    else                                                                       \
      matrix.thread_elements() =                                               \
          vec<T, 2>(source[row * stride + column],                             \
                    source[row * stride + column + 1]);                        \
  }                                                                            \
  template <typename T, int C, int R>                                          \
  inline void simdgroup_store(simdgroup_matrix<T, C, R> matrix, S T *target,   \
                              ulong stride = C, ulong2 origin = 0,             \
                              bool transposed = false) {                       \
    ulong row = __matrixRow(), column = __matrixColumn();                      \
    vec<T, 2> elements = matrix.thread_elements();                             \
    target += origin.y * stride + origin.x;                                    \
    if (transposed) {                                                          \
      target[column * stride + row] = elements.x;                              \
      target[(column + 1) * stride + row] = elements.y;                        \
    } else {                                                                   \
      target[row * stride + column] = elements.x;                              \
      target[row * stride + column + 1] = elements.y;                          \
    }                                                                          \
  }
__BSM_MATRIX_MEMORY(__global)
__BSM_MATRIX_MEMORY(__local)
#undef __BSM_MATRIX_MEMORY

// d = a * b + c; products and sums in float.
template <typename D, typename A, typename B, typename E>
inline void
simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8> &d,
                              simdgroup_matrix<A, 8, 8> a,
                              simdgroup_matrix<B, 8, 8> b,
                              simdgroup_matrix<E, 8, 8> c) {
  uint row = __matrixRow(), column = __matrixColumn();
  float2 left = float2(a.thread_elements());
  float2 right = float2(b.thread_elements());
  float2 sum = float2(c.thread_elements());
#pragma clang loop unroll(full)
  for (uint k = 0; k < 8; ++k) {
    float factor = __shuffle(k & 1 ? left.y : left.x, __matrixLane(row, k));
    uint lane = __matrixLane(k, column);
    sum.x = __exact_fma(factor, __shuffle(right.x, lane), sum.x);
    sum.y = __exact_fma(factor, __shuffle(right.y, lane), sum.y);
  }
  d.thread_elements() = vec<D, 2>(sum);
}
template <typename D, typename A, typename B>
inline void simdgroup_multiply(simdgroup_matrix<D, 8, 8> &d,
                               simdgroup_matrix<A, 8, 8> a,
                               simdgroup_matrix<B, 8, 8> b) {
  simdgroup_multiply_accumulate(d, a, b,
                                make_filled_simdgroup_matrix<D, 8, 8>(D(0)));
}
template <typename T>
inline simdgroup_matrix<T, 8, 8> operator*(simdgroup_matrix<T, 8, 8> a,
                                           simdgroup_matrix<T, 8, 8> b) {
  simdgroup_matrix<T, 8, 8> product;
  simdgroup_multiply(product, a, b);
  return product;
}

} // namespace metal
