//===- StridedLoops.h - Trip counts that thread ranges give -----*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_NVIDIA_STRIDEDLOOPS_H
#define BESSEMER_CODEGEN_NVIDIA_STRIDEDLOOPS_H

#include "llvm/IR/PassManager.h"

namespace bessemer::codegen::nvidia {

/// `for (i = l; i < 2048; i += 64)` with l in 0..63 runs 32 times in every
/// thread. LLVM sees that only as a range; this pass lets such a loop count to
/// the constant, and asks for four iterations in one, so that their loads are
/// under way together.
struct StridedLoopsPass : llvm::PassInfoMixin<StridedLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace bessemer::codegen::nvidia

#endif // BESSEMER_CODEGEN_NVIDIA_STRIDEDLOOPS_H
