//===- FlattenBranches.h - Short bodies without a branch --------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_FLATTENBRANCHES_H
#define BESSEMER_CODEGEN_CPU_FLATTENBRANCHES_H

#include "llvm/IR/PassManager.h"

namespace bessemer::codegen::cpu {

/// What a few lanes would do under a divergent `if` is computed by all, and
/// selected, if it is short and has no effect: cheaper than to find out whether
/// any lane wants it. A loop with such an exit test becomes one block.
class FlattenBranchesPass : public llvm::PassInfoMixin<FlattenBranchesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &region,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_FLATTENBRANCHES_H
