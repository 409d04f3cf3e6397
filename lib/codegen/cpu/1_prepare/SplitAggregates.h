//===- SplitAggregates.h - Structs and arrays as their elements -*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_SPLITAGGREGATES_H
#define BESSEMER_CODEGEN_CPU_SPLITAGGREGATES_H

#include "llvm/IR/PassManager.h"

namespace bessemer::codegen::cpu {

class SplitAggregatesPass : public llvm::PassInfoMixin<SplitAggregatesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_SPLITAGGREGATES_H
