//===- FloatOperations.h - half, bfloat and fma without helpers -*- C++ -*-===//
//
// Narrow floats are computed in float and rounded after every operation. Code
// for targets without conversion or multiply-add instructions is emitted here,
// since LLVM would call a library that is not linked.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_EMIT_FLOATOPERATIONS_H
#define BESSEMER_CODEGEN_CPU_EMIT_FLOATOPERATIONS_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class MCSubtargetInfo;
} // namespace llvm

namespace bessemer::codegen::cpu {

/// Operates on scalars and vectors alike; both forms give the same bits.
class FloatOperations {
public:
  FloatOperations(llvm::IRBuilderBase &builder,
                  const llvm::MCSubtargetInfo &target);

  static bool isNarrow(const llvm::Type *type) {
    return type->getScalarType()->is16bitFPTy();
  }
  /// The type that holds values of `type`. Narrow floats that the target has no
  /// instructions for are held as integers: LLVM would convert to float and
  /// back, by library calls, only to move them.
  llvm::Type *represent(llvm::Type *type) const;
  llvm::Constant *represent(llvm::Constant *constant) const;

  // In what follows, `type` is the type in the region (its element matters).
  /// half, bfloat -> float; others unchanged.
  llvm::Value *widen(llvm::Value *value, llvm::Type *type);
  /// float, double -> `type`, rounded once.
  llvm::Value *narrow(llvm::Value *value, llvm::Type *type);
  llvm::Value *extend(llvm::Value *value, llvm::Type *type, llvm::Type *to);
  llvm::Value *fromInteger(llvm::Value *value, bool isSigned, llvm::Type *type);
  /// Rounded once, for every float type.
  llvm::Value *fma(llvm::Value *x, llvm::Value *y, llvm::Value *z,
                   llvm::Type *type);
  llvm::Value *abs(llvm::Value *value, llvm::Type *type);
  llvm::Value *negate(llvm::Value *value, llvm::Type *type);
  llvm::Value *copySign(llvm::Value *magnitude, llvm::Value *sign,
                        llvm::Type *type);

private:
  llvm::Type *like(llvm::Value *shape, llvm::Type *element) const;
  llvm::Value *integer(llvm::Value *shape, uint64_t value);
  llvm::Value *bits(llvm::Value *value);
  llvm::Value *halfToFloat(llvm::Value *value);
  llvm::Value *floatToHalf(llvm::Value *value);
  llvm::Value *bfloatToFloat(llvm::Value *value);
  llvm::Value *floatToBfloat(llvm::Value *value);
  llvm::Value *roundToOdd(llvm::Value *rounded, llvm::Value *error);
  llvm::Value *doubleToFloatOdd(llvm::Value *value);
  llvm::Value *sumToOdd(llvm::Value *x, llvm::Value *y);

  llvm::IRBuilderBase &b;
  bool nativeHalf;
  bool nativeFma;
};

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_EMIT_FLOATOPERATIONS_H
