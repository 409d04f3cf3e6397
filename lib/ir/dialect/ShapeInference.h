//===- ShapeInference.h - Result types from operands ------------*- C++ -*-===//
//
// One function for each shape rule of the op tables. Each serves the builders
// and the verifier; it uses the values of operands that are constants, and
// yields `?` where only the run time knows. Errors name what does not fit.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_IR_DIALECT_SHAPEINFERENCE_H
#define BESSEMER_IR_DIALECT_SHAPEINFERENCE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/TypeRange.h"
#include "mlir/IR/ValueRange.h"

#include <optional>

namespace bessemer::coreai {

struct Inference {
  mlir::MLIRContext *context;
  std::optional<mlir::Location> location; ///< None: fail silently.
  llvm::StringRef op;
  mlir::ValueRange operands;
  llvm::SmallVectorImpl<mlir::Type> &results;
};

using Shape = llvm::SmallVector<int64_t>;

/// True if the types agree wherever both are known.
bool areJoinable(mlir::TypeRange inferred, mlir::TypeRange written);
bool areJoinable(mlir::Type a, mlir::Type b);

/// The elements of a small integer constant; none if `value` is not one.
std::optional<Shape> constantIntegers(mlir::Value value);

/// An axis counted from the end if negative; none if out of range.
std::optional<int64_t> normaliseAxis(int64_t axis, int64_t rank);

/// How many elements start:end:stride picks of `extent`, Python's rule.
struct SliceRange {
  int64_t start, stride, count;
};
SliceRange sliceRange(int64_t start, int64_t end, int64_t stride,
                      int64_t extent);

mlir::LogicalResult inferSameAsFirst(const Inference &);
mlir::LogicalResult inferBinary(const Inference &);
mlir::LogicalResult inferComparison(const Inference &);
mlir::LogicalResult inferBroadcastingBinary(const Inference &);
mlir::LogicalResult inferBroadcastingComparison(const Inference &);
mlir::LogicalResult inferWhere(const Inference &);
mlir::LogicalResult inferBroadcastingWhere(const Inference &);
mlir::LogicalResult inferCreateComplex(const Inference &);
mlir::LogicalResult inferComplexPart(const Inference &);

mlir::LogicalResult inferGetShape(const Inference &);
mlir::LogicalResult inferReshape(const Inference &);
mlir::LogicalResult inferTranspose(const Inference &);
mlir::LogicalResult inferSlice(const Inference &);
mlir::LogicalResult inferSliceUpdate(const Inference &);
mlir::LogicalResult inferConcat(const Inference &);
mlir::LogicalResult inferExpandDims(const Inference &);
mlir::LogicalResult inferShrinkDims(const Inference &);
mlir::LogicalResult inferBroadcastTo(const Inference &);
mlir::LogicalResult inferBroadcastInDims(const Inference &);
mlir::LogicalResult inferTile(const Inference &);
mlir::LogicalResult inferPad(const Inference &);
mlir::LogicalResult inferRange(const Inference &);

mlir::LogicalResult inferReduction(const Inference &);
mlir::LogicalResult inferArgmax(const Inference &);
mlir::LogicalResult inferArgsort(const Inference &);
mlir::LogicalResult inferMatmul(const Inference &);
mlir::LogicalResult inferBroadcastingMatmul(const Inference &);
mlir::LogicalResult inferGatherNd(const Inference &);
mlir::LogicalResult inferGatherAlongAxis(const Inference &);
mlir::LogicalResult inferScatterAlongAxis(const Inference &);
mlir::LogicalResult inferNonZero(const Inference &);
mlir::LogicalResult inferConvolution(const Inference &);
mlir::LogicalResult inferPooling(const Inference &);
mlir::LogicalResult inferMaxPooling(const Inference &);

} // namespace bessemer::coreai

#endif // BESSEMER_IR_DIALECT_SHAPEINFERENCE_H
