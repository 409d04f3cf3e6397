//===- StructuriseDivergent.h - Divergent branches in nested form -*- C++ -*-=//
#ifndef BESSEMER_CODEGEN_COMMON_STRUCTURISEDIVERGENT_H
#define BESSEMER_CODEGEN_COMMON_STRUCTURISEDIVERGENT_H

#include "llvm/IR/PassManager.h"

namespace bessemer::codegen {

/// Afterwards a divergent branch has a block where its sides meet again, and a
/// loop that lanes leave at different times has one exit, at its latch. Uniform
/// control flow stays as it is. `analyses` are those of SpmdAnalyses.
void structuriseDivergent(llvm::Function &function,
                          llvm::FunctionAnalysisManager &analyses);

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_COMMON_STRUCTURISEDIVERGENT_H
