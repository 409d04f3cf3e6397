//===- Slices.h - Bounds of slices and what writes into them ----*- C++ -*-===//
#ifndef BESSEMER_CONVERT_TORCH_SLICES_H
#define BESSEMER_CONVERT_TORCH_SLICES_H

#include "convert/torch/Call.h"

namespace bessemer {

/// "To the end", as slices say it.
inline constexpr int64_t wholeExtent = 2147483647;

/// `bound` for `axis` among `rank`; the other axes get `otherwise`.
mlir::Value boundVector(Call &call, mlir::Value bound, int64_t axis,
                        int64_t rank, int64_t otherwise);

/// An argument that is the end of a slice: None and huge numbers are the end.
mlir::Value endBound(Call &call, unsigned index);

} // namespace bessemer

#endif // BESSEMER_CONVERT_TORCH_SLICES_H
