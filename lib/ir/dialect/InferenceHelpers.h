//===- InferenceHelpers.h - Shared by the shape rules -----------*- C++ -*-===//
#ifndef BESSEMER_IR_DIALECT_INFERENCEHELPERS_H
#define BESSEMER_IR_DIALECT_INFERENCEHELPERS_H

#include "ir/dialect/ShapeInference.h"

#include "mlir/IR/Diagnostics.h"

namespace bessemer::coreai {

inline constexpr int64_t dynamic = mlir::ShapedType::kDynamic;

template <typename... Parts>
mlir::LogicalResult fail(const Inference &inference, Parts &&...parts) {
  return mlir::emitOptionalError(inference.location, "'", inference.op, "' op ",
                                 std::forward<Parts>(parts)...);
}

/// The operands as ranked tensors; fails unless there are at least `count`.
mlir::FailureOr<llvm::SmallVector<mlir::RankedTensorType>>
tensorOperands(const Inference &inference, size_t count);

/// The one result.
mlir::LogicalResult succeed(const Inference &inference,
                            llvm::ArrayRef<int64_t> shape, mlir::Type element);

/// A vector operand must have `length` elements.
mlir::LogicalResult checkLength(const Inference &inference,
                                llvm::StringRef what,
                                mlir::RankedTensorType vector, int64_t length);

/// The axes of a constant operand, normalised, distinct and in range; an empty
/// optional if the operand is not constant.
mlir::FailureOr<std::optional<Shape>>
axesOperand(const Inference &inference, mlir::Value axes, int64_t rank);

/// Extent of two aligned axes: equal, or (broadcasting) one of them 1.
mlir::FailureOr<int64_t> joinExtents(int64_t a, int64_t b, bool broadcast);

/// The joint shape of two tensors, aligned from the right when broadcasting.
mlir::FailureOr<Shape> joinShapes(llvm::ArrayRef<int64_t> a,
                                  llvm::ArrayRef<int64_t> b, bool broadcast);

} // namespace bessemer::coreai

#endif // BESSEMER_IR_DIALECT_INFERENCEHELPERS_H
