//===- SpmdTTI.h - A target on which threads diverge ------------*- C++ -*-===//
//
// LLVM's uniformity analysis and its scalar passes ask the target whether
// control flow diverges. For one thread of a kernel the answer does not come
// from the CPU but from the bsm.* table, so the scalar stages run with this
// TargetTransformInfo.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_COMMON_SPMDTTI_H
#define BESSEMER_CODEGEN_COMMON_SPMDTTI_H

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace bessemer::codegen {

/// The analysis managers of the scalar stages, with the SPMD target installed
/// and no library functions (a kernel has none, and none may be invented).
struct SpmdAnalyses {
  /// `oneSimdgroup`: uniform means uniform in one simdgroup (chunks of 32
  /// lanes), so results of simd operations are. Else: in the threadgroup.
  explicit SpmdAnalyses(bool oneSimdgroup);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes;
};

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_COMMON_SPMDTTI_H
