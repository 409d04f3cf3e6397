//===- Array.h - Arrays of the command line ---------------------*- C++ -*-===//
#ifndef BESSEMER_TOOLS_BESSEMER_ARRAY_H
#define BESSEMER_TOOLS_BESSEMER_ARRAY_H

#include "bessemer/tensor.h"

#include <optional>
#include <random>

namespace bessemer::cli {

/// A dense array that owns its memory, aligned for any type.
struct Array {
  DType dtype = DType::Invalid;
  std::vector<int64_t> shape;
  std::shared_ptr<void> data;

  static Result<Array> zeros(DType dtype, std::vector<int64_t> shape);
  int64_t elements() const;
  size_t bytes() const { return elements() * dtypeSize(dtype); }
  Tensor tensor() const;
};

/// NumPy's file format, versions 1 to 3; C order, little endian. Two-byte void
/// elements, as NumPy stores bfloat16, become bfloat16.
Result<Array> readNpy(const std::string &path);
/// The same, whole or not at all.
Status writeNpy(const std::string &path, const Array &array);

/// Floats of [-1, 1), integers of [0, 100).
void fillRandom(Array &array, std::mt19937_64 &generator);

/// Stores a number; an error if the type does not hold it.
Status storeNumber(const std::string &text, DType dtype, void *to);

/// "float32[2, 3] 1 2 3 ...": the first elements.
std::string summary(const Array &array);

/// "float32[2, 3]" as type and shape; either may be left out.
struct ArrayType {
  DType dtype = DType::Invalid;
  std::vector<int64_t> shape;
  bool hasShape = false;
};
Result<ArrayType> parseArrayType(std::string_view text);
std::string describe(DType dtype, const std::vector<int64_t> &shape);

/// What "x.npy", "random[8,16]", "zeros:float32[1024]" or "1,2,3" stands for;
/// `wanted` says what is not in the text.
Result<Array> parseArray(const std::string &text, const ArrayType &wanted,
                         std::mt19937_64 &generator);

} // namespace bessemer::cli

#endif // BESSEMER_TOOLS_BESSEMER_ARRAY_H
