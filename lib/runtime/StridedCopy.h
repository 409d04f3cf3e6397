//===- StridedCopy.h - Copies between any two layouts -----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_STRIDEDCOPY_H
#define BESSEMER_RUNTIME_STRIDEDCOPY_H

#include "bessemer/tensor.h"
#include "runtime/ThreadPool.h"

namespace bessemer::runtime {

/// Copies `from` into `to`: same shape and element type, any strides; they
/// must not overlap.
void copyStrided(ThreadPool &pool, const Tensor &from, const Tensor &to);

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_STRIDEDCOPY_H
