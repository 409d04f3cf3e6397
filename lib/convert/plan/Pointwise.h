//===- Pointwise.h - Groups of elementwise ops as one kernel ----*- C++ -*-===//
#ifndef BESSEMER_CONVERT_PLAN_POINTWISE_H
#define BESSEMER_CONVERT_PLAN_POINTWISE_H

#include "convert/plan/Context.h"

namespace bessemer {

/// Whether an element of the result depends on one element of each operand.
bool isPointwise(mlir::Operation *op);

/// The Metal expression of a pointwise op on these operand expressions, before
/// it is rounded to the result's element type; empty if there is none.
std::string pointwiseExpression(mlir::Operation *op,
                                llvm::ArrayRef<std::string> operands);

/// "float" for every float type, else the element type's Metal name: what
/// values of the type are computed in.
std::string computeType(DType dtype);
/// `expression` as a value of the type, after rounding.
std::string rounded(DType dtype, const std::string &expression);
/// The number as Metal source, of the compute type.
std::string literal(mlir::Attribute element, DType dtype);

/// For each fused op the op whose kernel computes it: the last of its group,
/// which maps to itself.
using PointwiseGroups = llvm::DenseMap<mlir::Operation *, mlir::Operation *>;
PointwiseGroups groupPointwise(PlanContext &context);

/// Adds the dispatch that computes `root` and the ops fused into it.
void emitPointwise(PlanContext &context, const PointwiseGroups &groups,
                   mlir::Operation *root);

/// Copies between tensors of one shape, with any strides.
void emitStridedCopy(PlanContext &context, plan::TensorId from,
                     plan::TensorId to);

} // namespace bessemer

#endif // BESSEMER_CONVERT_PLAN_POINTWISE_H
