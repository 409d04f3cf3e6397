//===- Gemm.h - Matrix products ---------------------------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_GEMM_GEMM_H
#define BESSEMER_RUNTIME_GEMM_GEMM_H

#include "bessemer/reflection.h"
#include "bessemer/result.h"
#include "runtime/ThreadPool.h"

#include <span>

namespace bessemer::runtime {

/// A matrix of F32, F16 or BF16; strides in elements, any value.
struct GemmOperand {
  const void *data = nullptr;
  DType dtype = DType::F32;
  int64_t rowStride = 0, columnStride = 0;
};

/// C = A * B (+ bias, one value a column), accumulated in f32 and rounded
/// once. C is dense row-major.
struct GemmProblem {
  int64_t m = 0, n = 0, k = 0;
  GemmOperand a, b;
  void *c = nullptr;
  DType cType = DType::F32;
  GemmOperand bias; ///< One row; null data = none.
};

/// Something that multiplies matrices on the threads of a pool. The same bits
/// whatever the number of threads.
class GemmProvider {
public:
  virtual ~GemmProvider() = default;
  virtual Status run(ThreadPool &pool,
                     std::span<const GemmProblem> problems) = 0;
  /// The CPU's.
  static GemmProvider &ofHost();
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_GEMM_GEMM_H
