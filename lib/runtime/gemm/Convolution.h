//===- Convolution.h - Convolutions as matrix products ----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_GEMM_CONVOLUTION_H
#define BESSEMER_RUNTIME_GEMM_CONVOLUTION_H

#include "bessemer/reflection.h"
#include "bessemer/result.h"
#include "runtime/ThreadPool.h"

#include <array>

namespace bessemer::runtime {

/// Dense tensors of F32, F16 or BF16: input [batch, groups * channels, ...],
/// weight [groups * filters, channels, ...], output [batch, groups * filters,
/// ...]. What lies outside the input is 0. Two spatial axes: the first is 1.
struct Convolution {
  struct Axis {
    int64_t input = 1, kernel = 1, output = 1;
    int64_t stride = 1, dilation = 1, padding = 0; ///< Before the first.
  };
  int64_t batch = 1, groups = 1, channels = 1, filters = 1; ///< Of a group.
  std::array<Axis, 3> axes;
  const void *input = nullptr, *weight = nullptr;
  void *output = nullptr;
  DType dtype = DType::F32;
};

/// Accumulates in f32 and rounds once; the same bits whatever the number of
/// threads.
Status convolve(ThreadPool &pool, const Convolution &convolution);

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_GEMM_CONVOLUTION_H
