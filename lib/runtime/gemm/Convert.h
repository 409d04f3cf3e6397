//===- Convert.h - Runs of elements to and from f32 -------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_GEMM_CONVERT_H
#define BESSEMER_RUNTIME_GEMM_CONVERT_H

#include "bessemer/reflection.h"

namespace bessemer::runtime {

/// `count` elements of F32, F16 or BF16, `stride` elements apart, as floats.
void widen(const void *from, DType type, int64_t stride, float *to,
           int64_t count);

/// Floats rounded to nearest even as `type`.
void narrow(const float *from, void *to, DType type, int64_t count);

/// to[i] += from[i].
void accumulate(const float *from, float *to, int64_t count);

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_GEMM_CONVERT_H
