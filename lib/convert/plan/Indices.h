//===- Indices.h - Checked indices in kernels over elements -----*- C++ -*-===//
#ifndef BESSEMER_CONVERT_PLAN_INDICES_H
#define BESSEMER_CONVERT_PLAN_INDICES_H

#include "convert/plan/ElementKernel.h"

namespace bessemer {

/// Adds lines that make `name` the place an index expression means in `extent`:
/// negative ones count from the end. One that is out of range stays as it is,
/// so that the subscript of the tensor reports it.
void declareIndex(ElementKernel &kernel, const std::string &name,
                  const std::string &index, const std::string &extent);

/// What a run says of an index out of range; `axis` is the indexed one, or
/// nothing if the subscript's own dimension tells it.
std::string indexMessage(mlir::Operation *op, std::optional<int64_t> axis);

/// A tensor as [before, extent, behind], split at `axis`.
plan::TensorId splitAtAxis(PlanContext &context, plan::TensorId tensor,
                           const RegList &shape, int64_t axis);

/// Row-major index in axes [first, last) of `shape`, of the kernel's thread.
std::string indexWithin(ElementKernel &kernel, const RegList &shape,
                        size_t first, size_t last);

} // namespace bessemer

#endif // BESSEMER_CONVERT_PLAN_INDICES_H
