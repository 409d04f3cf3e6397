//===- ElementTypes.h - DType and MLIR's element types ----------*- C++ -*-===//
#ifndef BESSEMER_IR_ELEMENTTYPES_H
#define BESSEMER_IR_ELEMENTTYPES_H

#include "bessemer/reflection.h"

#include "mlir/IR/Types.h"

namespace bessemer {

/// I64 -> si64, Bool -> i1, F16 -> f16...; null for DType::Invalid.
mlir::Type elementType(mlir::MLIRContext *context, DType dtype);

/// The inverse; DType::Invalid for types that no tensor of the runtime has.
DType dtypeOf(mlir::Type elementType);

} // namespace bessemer

#endif // BESSEMER_IR_ELEMENTTYPES_H
