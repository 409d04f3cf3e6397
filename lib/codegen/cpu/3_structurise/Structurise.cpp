//===- Structurise.cpp - Divergent control flow as ifs and loops ----------===//
//
// Afterwards a divergent branch has a block where its sides meet again, and a
// loop that lanes leave at different times has one exit, at its latch. Uniform
// control flow stays as it is.
//
//===----------------------------------------------------------------------===//

#include "codegen/common/CloseLoops.h"
#include "codegen/common/PinnedExitValues.h"
#include "codegen/common/ReachReturn.h"
#include "codegen/cpu/3_structurise/FlattenBranches.h"
#include "codegen/cpu/Region.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/StructurizeCFG.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// Of the two sides of a branch, the one that waits comes second: the other may
/// do what it waits for. Structurisation puts the second successor first.
void putWaitingLast(Function &region) {
  DominatorTree dominators(region);
  for (const Instruction *wait : reconvergences(region)) {
    if (!isWaiting(*wait))
      continue;
    auto *node = dominators.getNode(wait->getParent());
    for (; node && node->getIDom(); node = node->getIDom()) {
      BasicBlock *side = node->getBlock(), *above = node->getIDom()->getBlock();
      auto *branch = dyn_cast<BranchInst>(above->getTerminator());
      if (!branch || branch->isUnconditional() ||
          branch->getSuccessor(1) != side)
        continue;
      IRBuilder<> builder(branch);
      branch->setCondition(builder.CreateNot(branch->getCondition()));
      branch->swapSuccessors();
    }
  }
}

/// Whether lanes leave a loop at different times and not at its latch.
bool leavesInTheMiddle(Function &region, FunctionAnalysisManager &analyses) {
  auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(region);
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(region);
  return any_of(region, [&](BasicBlock &block) {
    const Loop *loop = loops.getLoopFor(&block);
    return loop && loop->isLoopExiting(&block) &&
           loop->getLoopLatch() != &block &&
           uniformity.hasDivergentTerminator(block);
  });
}

void structuriseDivergent(Function &region, FunctionAnalysisManager &analyses) {
  PinnedExitValues pins(region);
  analyses.invalidate(region, PreservedAnalyses::none());
  StructurizeCFGPass(/*SkipUniformRegions=*/true).run(region, analyses);
  analyses.invalidate(region, PreservedAnalyses::none());
  // Selects on the way can make divergent what was uniform, and was skipped.
  if (leavesInTheMiddle(region, analyses))
    StructurizeCFGPass(/*SkipUniformRegions=*/false).run(region, analyses);
}

} // namespace

Status structurise(Function &region, const RegionOptions &options,
                   FunctionAnalysisManager &analyses) {
  putWaitingLast(region);
  removeReconvergences(region);
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(InstSimplifyPass());
  passes.addPass(DCEPass());
  passes.addPass(LowerSwitchPass());
  passes.addPass(FixIrreduciblePass());
  passes.addPass(ReachReturnPass());
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(UnifyLoopExitsPass());
  passes.addPass(LoopSimplifyPass());
  passes.run(region, analyses);
  structuriseDivergent(region, analyses);
  analyses.invalidate(region, PreservedAnalyses::none());
  FunctionPassManager tidy;
  tidy.addPass(FlattenBranchesPass());
  tidy.addPass(InstSimplifyPass());
  tidy.addPass(DCEPass());
  // Last: the phis that it puts at loop exits have one operand and merge what
  // lanes hold when they leave at different times. A pass that folds such phis
  // would lose that.
  tidy.addPass(LCSSAPass());
  tidy.run(region, analyses);
  return Status();
}

} // namespace bessemer::codegen::cpu
