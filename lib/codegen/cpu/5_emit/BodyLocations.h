//===- BodyLocations.h - Source locations of a body -------------*- C++ -*-===//
//
// Two functions may not share a subprogram, so a body gets a copy of its
// region's, and locations are moved over to it.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_EMIT_BODYLOCATIONS_H
#define BESSEMER_CODEGEN_CPU_EMIT_BODYLOCATIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"

namespace bessemer::codegen::cpu {

class BodyLocations {
public:
  /// Without `keep` there are none, which saves a tenth of code generation.
  BodyLocations(const llvm::Function &region, llvm::Function &body, bool keep);
  llvm::DebugLoc map(const llvm::DebugLoc &location);

private:
  llvm::DILocation *map(llvm::DILocation *location);

  llvm::DISubprogram *subprogram = nullptr;
  llvm::DenseMap<llvm::DILocation *, llvm::DILocation *> mapped;
};

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_EMIT_BODYLOCATIONS_H
