//===- Tensor.cpp - A strided view of memory ------------------------------===//
#include "bessemer/tensor.h"

using namespace bessemer;

int64_t Tensor::elementCount() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

bool Tensor::isDense() const {
  if (strides.empty() || elementCount() == 0)
    return true;
  int64_t expected = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    // The stride of an extent of one says nothing.
    if (shape[i] != 1 && strides[i] != expected)
      return false;
    expected *= shape[i];
  }
  return true;
}
