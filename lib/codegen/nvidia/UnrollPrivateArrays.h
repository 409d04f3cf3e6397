//===- UnrollPrivateArrays.h - Loops over arrays in registers ---*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_NVIDIA_UNROLLPRIVATEARRAYS_H
#define BESSEMER_CODEGEN_NVIDIA_UNROLLPRIVATEARRAYS_H

#include "llvm/IR/PassManager.h"

namespace bessemer::codegen::nvidia {

/// Marks the loops whose counter indexes a private array for full unrolling,
/// which a later pass does.
struct UnrollPrivateArraysPass : llvm::PassInfoMixin<UnrollPrivateArraysPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace bessemer::codegen::nvidia

#endif // BESSEMER_CODEGEN_NVIDIA_UNROLLPRIVATEARRAYS_H
