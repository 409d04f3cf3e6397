//===- CoreAI.h - The coreai dialect ----------------------------*- C++ -*-===//
#ifndef BESSEMER_IR_DIALECT_COREAI_H
#define BESSEMER_IR_DIALECT_COREAI_H

#include "ir/dialect/ShapeInference.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace bessemer::coreai {

/// Name and direction attributes of graph arguments and results.
inline constexpr llvm::StringLiteral nameAttribute = "coreai.name";

// The type constraints of the op tables.
bool isCoreAITensor(mlir::Type type);
bool isIndexVector(mlir::Type type);
bool isIndexScalar(mlir::Type type);
bool isBoolTensor(mlir::Type type);
bool isBoolScalar(mlir::Type type);
bool isFloatTensor(mlir::Type type);
bool isIntegerTensor(mlir::Type type);
bool isNumericTensor(mlir::Type type);
bool isComplexTensor(mlir::Type type);
bool isKernelTensor(mlir::Type type);
bool isGridVector(mlir::Type type);
bool isResultShapeVector(mlir::Type type);

} // namespace bessemer::coreai

#include "ir/dialect/CoreAIDialect.h.inc"
#include "ir/dialect/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/dialect/CoreAIAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/dialect/CoreAITypes.h.inc"

#define GET_OP_CLASSES
#include "ir/dialect/ProgramOps.h.inc"
#define GET_OP_CLASSES
#include "ir/dialect/ShapeOps.h.inc"
#define GET_OP_CLASSES
#include "ir/dialect/UnaryOps.h.inc"
#define GET_OP_CLASSES
#include "ir/dialect/BinaryOps.h.inc"
#define GET_OP_CLASSES
#include "ir/dialect/BroadcastingOps.h.inc"
#define GET_OP_CLASSES
#include "ir/dialect/ComputeOps.h.inc"
#define GET_OP_CLASSES
#include "ir/dialect/ControlOps.h.inc"

#endif // BESSEMER_IR_DIALECT_COREAI_H
