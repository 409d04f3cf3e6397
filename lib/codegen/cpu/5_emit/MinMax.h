//===- MinMax.h - Minimum and maximum of floats -----------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_EMIT_MINMAX_H
#define BESSEMER_CODEGEN_CPU_EMIT_MINMAX_H

#include "llvm/IR/IRBuilder.h"

namespace bessemer::codegen::cpu {

/// maxnum or minnum: a NaN loses against a number. Comparisons, and not LLVM's
/// intrinsic, which for a half that was widened becomes a library call, and
/// which does not say which zero it gives.
inline llvm::Value *emitMinMax(llvm::IRBuilderBase &b, bool maximum,
                               llvm::Value *x, llvm::Value *y) {
  llvm::Value *first = maximum ? b.CreateFCmpOGT(x, y) : b.CreateFCmpOLT(x, y);
  llvm::Value *result = b.CreateSelect(first, x, y);
  return b.CreateSelect(b.CreateFCmpUNO(y, y), x, result);
}

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_EMIT_MINMAX_H
