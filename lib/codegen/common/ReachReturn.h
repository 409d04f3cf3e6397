//===- ReachReturn.h - Every path of a region ends --------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_REACHRETURN_H
#define BESSEMER_CODEGEN_REACHRETURN_H

#include "llvm/IR/PassManager.h"

namespace bessemer::codegen {

/// Gives a loop that nothing leaves an exit that is never taken, and code that
/// cannot be reached a return, so that the sides of a branch to them meet
/// again. Such loops are not only programmed: optimisation leaves them on paths
/// whose conditions contradict each other.
class ReachReturnPass : public llvm::PassInfoMixin<ReachReturnPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &region,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_REACHRETURN_H
