//===- Sgemm.h - One product on the calling thread --------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_GEMM_SGEMM_H
#define BESSEMER_RUNTIME_GEMM_SGEMM_H

#include <cstdint>

namespace bessemer::runtime {

/// Rows of floats, `leading` elements apart; 'T': those of the transpose.
struct FloatMatrix {
  const float *data;
  int64_t leading;
  char transposed; ///< 'N' or 'T'.
};

/// c = a * b, m x k by k x n; never starts other threads. False if the library
/// refuses.
bool sgemm(const FloatMatrix &a, const FloatMatrix &b, float *c,
           int64_t leading, int64_t m, int64_t n, int64_t k);

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_GEMM_SGEMM_H
