//===- tensor.h - A strided view of memory ----------------------*- C++ -*-===//
#ifndef BESSEMER_TENSOR_H
#define BESSEMER_TENSOR_H

#include "bessemer/reflection.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace bessemer {

/// A view: the caller keeps the memory alive, unless `owner` does.
/// Shape is outermost first (torch order); strides count elements.
struct BESSEMER_API Tensor {
  DType dtype = DType::Invalid;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides; ///< Empty = dense row-major.
  void *data = nullptr;
  bool readOnly = false;
  std::shared_ptr<void> owner; ///< Set on results.

  int64_t elementCount() const;
  bool isDense() const;
};

} // namespace bessemer

#endif // BESSEMER_TENSOR_H
