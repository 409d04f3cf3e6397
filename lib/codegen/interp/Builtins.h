//===- Builtins.h - The bsm.* functions by name -----------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_INTERP_BUILTINS_H
#define BESSEMER_CODEGEN_INTERP_BUILTINS_H

#include "llvm/ADT/StringRef.h"

namespace bessemer::codegen::interp {

/// A row of Intrinsics.def, as far as the interpreter needs it.
struct Builtin {
  enum Kind { Attribute, Reduction, Scan, Math, Other } kind;
  enum Id {
#define BSM_INTRINSIC(id, name, result, arguments, uniformity, properties,     \
                      sem)                                                     \
  id,
#include "codegen/common/Intrinsics.def"
  } id;
  llvm::StringRef name;
  llvm::StringRef operation; ///< Reductions, scans and math: which.

  /// "f32", "u64" ...: the last part of the name.
  llvm::StringRef type() const { return name.rsplit('.').second; }
  /// Lanes meet here before it can be computed.
  bool isCrossLane() const {
    return kind == Reduction || kind == Scan || id == Shuffle || id == Ballot ||
           id == SimdgroupBarrier;
  }
  bool isBarrier() const { return id == ThreadgroupBarrier; }
};

/// Null if kernel IR has no such function.
const Builtin *findBuiltin(llvm::StringRef name);

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_BUILTINS_H
