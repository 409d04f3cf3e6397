//===- Torch.h - The torch dialect ------------------------------*- C++ -*-===//
#ifndef BESSEMER_IR_DIALECT_TORCH_H
#define BESSEMER_IR_DIALECT_TORCH_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "ir/dialect/TorchDialect.h.inc"

#define GET_OP_CLASSES
#include "ir/dialect/Torch.h.inc"

#endif // BESSEMER_IR_DIALECT_TORCH_H
