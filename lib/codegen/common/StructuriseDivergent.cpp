//===- StructuriseDivergent.cpp - Divergent branches in nested form -------===//

#include "codegen/common/StructuriseDivergent.h"

#include "codegen/common/PinnedExitValues.h"
#include "codegen/common/ReachReturn.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Transforms/Scalar/StructurizeCFG.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

using namespace llvm;

namespace bessemer::codegen {

/// Whether lanes leave a loop at different times and not at its latch.
static bool leavesInTheMiddle(Function &function,
                              FunctionAnalysisManager &analyses) {
  auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(function);
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  return any_of(function, [&](BasicBlock &block) {
    if (!uniformity.hasDivergentTerminator(block))
      return false;
    const Loop *loop = loops.getLoopFor(&block);
    for (; loop; loop = loop->getParentLoop())
      if (loop->isLoopExiting(&block) && loop->getLoopLatch() != &block)
        return true;
    return false;
  });
}

void structuriseDivergent(Function &function,
                          FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass());
  passes.addPass(FixIrreduciblePass());
  passes.addPass(ReachReturnPass());
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(UnifyLoopExitsPass());
  passes.addPass(LoopSimplifyPass());
  passes.run(function, analyses);
  {
    PinnedExitValues pins(function);
    analyses.invalidate(function, PreservedAnalyses::none());
    StructurizeCFGPass(/*SkipUniformRegions=*/true).run(function, analyses);
    analyses.invalidate(function, PreservedAnalyses::none());
    // Selects on the way can make divergent what was uniform, and was skipped.
    if (leavesInTheMiddle(function, analyses))
      StructurizeCFGPass(/*SkipUniformRegions=*/false).run(function, analyses);
  }
  analyses.invalidate(function, PreservedAnalyses::none());
}

} // namespace bessemer::codegen
