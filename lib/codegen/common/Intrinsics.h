//===- Intrinsics.h - The bsm.* functions as an enum ------------*- C++ -*-===//
//
// Intrinsics.def in C++: lookup by name or call, declarations, properties.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_COMMON_INTRINSICS_H
#define BESSEMER_CODEGEN_COMMON_INTRINSICS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallInst;
class Function;
class FunctionType;
class LLVMContext;
class Module;
class Value;
} // namespace llvm

namespace bessemer::codegen {

enum class Intrinsic : unsigned {
  None, ///< Not a bsm.* function.
#define BSM_INTRINSIC(id, name, result, arguments, uniformity, properties,     \
                      sem)                                                     \
  id,
#include "codegen/common/Intrinsics.def"
};

enum class Uniformity {
  Threadgroup, ///< The same in all threads of a threadgroup.
  Simdgroup,   ///< The same in all active lanes of a simdgroup.
  Never,       ///< Differs between lanes.
  Pure,        ///< Uniform where the operands are.
};

/// What an intrinsic is, beyond its type. The same for all of one family.
enum class IntrinsicFamily {
  Attribute, ///< A thread attribute.
  Reduction, ///< Over a simdgroup; yields the same in all active lanes.
  Scan,      ///< Prefix operation over a simdgroup.
  Math,
  Other, ///< Barriers, shuffle, ballot, check_index.
};

struct IntrinsicInfo {
  llvm::StringRef name;
  char result;               ///< As in Intrinsics.def.
  llvm::StringRef arguments; ///< As in Intrinsics.def.
  Uniformity uniformity;
  unsigned properties; ///< IntrinsicProperty bits.
  IntrinsicFamily family;
};

enum IntrinsicProperty : unsigned { Pure = 1, Convergent = 2, Effect = 4 };

/// The intrinsic of that name; None for other functions (also for bsm.* names
/// that are internal to a backend).
Intrinsic lookupIntrinsic(llvm::StringRef name);
Intrinsic intrinsicOf(const llvm::Function &function);
/// None if `value` is no direct call to a bsm.* function.
Intrinsic intrinsicOf(const llvm::Value *value);

const IntrinsicInfo &intrinsicInfo(Intrinsic id);

/// Component 0..2 of an attribute of three components; 0 for the others.
unsigned attributeComponent(Intrinsic id);
/// `id` is component X; gives component `index`.
inline Intrinsic component(Intrinsic id, unsigned index) {
  return static_cast<Intrinsic>(static_cast<unsigned>(id) + index);
}
inline bool isBarrier(Intrinsic id) {
  return id == Intrinsic::ThreadgroupBarrier ||
         id == Intrinsic::SimdgroupBarrier;
}

llvm::FunctionType *intrinsicType(Intrinsic id, llvm::LLVMContext &context,
                                  unsigned constantAddressSpace = 4);
/// The declaration in `module`, with its attributes. Backends that have folded
/// address spaces away pass 0.
llvm::Function *declareIntrinsic(llvm::Module &module, Intrinsic id,
                                 unsigned constantAddressSpace = 4);
/// Sets the function attributes that follow from the table.
void setIntrinsicAttributes(llvm::Function &function, Intrinsic id);

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_COMMON_INTRINSICS_H
