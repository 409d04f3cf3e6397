//===- Steps.h - Steps of each family of ops --------------------*- C++ -*-===//
//
// Each function adds the steps of one op, or returns false if the op is not of
// its family. Errors stay in the context.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CONVERT_PLAN_STEPS_H
#define BESSEMER_CONVERT_PLAN_STEPS_H

#include "convert/plan/Context.h"

namespace bessemer {

bool emitKernel(PlanContext &context, mlir::Operation *op);
bool emitGemm(PlanContext &context, mlir::Operation *op);
bool emitView(PlanContext &context, mlir::Operation *op);
bool emitMovement(PlanContext &context, mlir::Operation *op);
bool emitReduction(PlanContext &context, mlir::Operation *op);
bool emitGather(PlanContext &context, mlir::Operation *op);
bool emitScatter(PlanContext &context, mlir::Operation *op);
bool emitWindow(PlanContext &context, mlir::Operation *op);

/// Whether `op` pads what convolutions alone read: their steps do both.
bool isPaddingOfConvolution(PlanContext &context, mlir::Operation *op);

/// Integers that were computed as registers, as a tensor.
void emitIntegers(PlanContext &context, mlir::Value value);

/// Whether `op` adds a vector to a matrix product that nothing else uses: the
/// product's step does both.
bool isBiasOfGemm(PlanContext &context, mlir::Operation *op);

} // namespace bessemer

#endif // BESSEMER_CONVERT_PLAN_STEPS_H
