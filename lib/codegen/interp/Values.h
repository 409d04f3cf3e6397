//===- Values.h - First-class values of kernel IR ---------------*- C++ -*-===//
//
// A value is the list of its scalar leaves in order, each as bits: a float is
// its encoding, a vector or a struct the leaves of its elements. Arithmetic on
// APInt and APFloat is slow, exact and leaves nothing to the host.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_INTERP_VALUES_H
#define BESSEMER_CODEGEN_INTERP_VALUES_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Type.h"

namespace bessemer::codegen::interp {

using Bits = llvm::APInt;
using Leaves = llvm::SmallVector<Bits, 1>;

/// Number of scalar leaves of a first-class type.
unsigned leafCount(llvm::Type *type);
/// Index of the first leaf of the member that `indices` name.
unsigned leafIndex(llvm::Type *type, llvm::ArrayRef<unsigned> indices);
/// Bits of a scalar type; pointers have 64.
unsigned leafWidth(llvm::Type *scalar);
/// All bits zero; also what undef and poison are here.
Leaves zeroValue(llvm::Type *type);

llvm::APFloat toFloat(const Bits &bits, llvm::Type *type);
/// Rounds to nearest even into `type`.
Bits roundToBits(llvm::APFloat value, llvm::Type *type);
inline Bits toBits(const llvm::APFloat &value) {
  return value.bitcastToAPInt();
}
inline Bits toBits(bool value) { return Bits(1, value); }

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_VALUES_H
