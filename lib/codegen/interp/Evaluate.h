//===- Evaluate.h - Operations without memory or control --------*- C++ -*-===//
//
// Instructions and constant expressions whose result depends on their operands
// alone. Integers never trap and are never poison: x/0 = x%0 = 0, MIN/-1 = MIN,
// MIN%-1 = 0, shift counts are taken modulo the width, float to integer
// saturates and gives 0 for NaN, nsw/nuw/exact/inbounds and fast-math flags
// change nothing. half and bfloat round after every operation.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_INTERP_EVALUATE_H
#define BESSEMER_CODEGEN_INTERP_EVALUATE_H

#include "codegen/interp/Values.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"

#include <optional>

namespace llvm {
class DataLayout;
class GEPOperator;
class Operator;
} // namespace llvm

namespace bessemer::codegen::interp {

using Operands = llvm::ArrayRef<const Leaves *>;

/// Nothing if the operation is none that kernel IR may hold.
std::optional<Leaves> evaluate(const llvm::Operator &operation,
                               Operands operands,
                               const llvm::DataLayout &layout);

// Arithmetic.cpp, on scalars.
std::optional<Bits> evaluateBinary(unsigned opcode, llvm::Type *type,
                                   const Bits &left, const Bits &right);
bool compareIntegers(llvm::CmpInst::Predicate predicate, const Bits &left,
                     const Bits &right);
bool compareFloats(llvm::CmpInst::Predicate predicate,
                   const llvm::APFloat &left, const llvm::APFloat &right);

// Casts.cpp, on scalars.
std::optional<Bits> evaluateCast(unsigned opcode, const Bits &bits,
                                 llvm::Type *from, llvm::Type *to);
/// Truncates toward zero; saturates; NaN gives 0.
Bits floatToInteger(const llvm::APFloat &value, unsigned width, bool isSigned);
/// Reinterprets the bits of all leaves, element 0 lowest.
Leaves evaluateBitCast(const Leaves &value, llvm::Type *from, llvm::Type *to);

// Addresses.cpp.
Leaves evaluateElementPointer(const llvm::GEPOperator &pointer,
                              Operands operands,
                              const llvm::DataLayout &layout);

// ScalarIntrinsics.cpp: llvm.* functions of operands alone.
std::optional<Leaves> evaluateIntrinsic(llvm::Intrinsic::ID id,
                                        llvm::Type *result, llvm::Type *operand,
                                        Operands operands);

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_EVALUATE_H
