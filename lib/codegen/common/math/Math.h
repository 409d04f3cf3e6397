//===- Math.h - Math functions on lanes -------------------------*- C++ -*-===//
//
// The bsm.<function>.<fast|precise>.f32 functions of Intrinsics.def as
// branch-free code on `float` or `<N x float>`. The scalar and the vector form
// compute the same bits. Accuracy: Metal specification chapter 8; measured by
// tests/unit/math. No library call remains in what is emitted.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_COMMON_MATH_MATH_H
#define BESSEMER_CODEGEN_COMMON_MATH_MATH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace bessemer::codegen {

/// Emits `function` ("exp", "atan2", ...) in its fast or precise class on one
/// or two operands. Returns null if there is no such function.
llvm::Value *emitMath(llvm::IRBuilderBase &builder, llvm::StringRef function,
                      bool precise, llvm::ArrayRef<llvm::Value *> operands);

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_COMMON_MATH_MATH_H
