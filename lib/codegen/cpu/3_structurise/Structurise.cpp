//===- Structurise.cpp - Divergent control flow as ifs and loops ----------===//
//
// The form is that of StructuriseDivergent.h; here it is prepared and tidied.
//
//===----------------------------------------------------------------------===//

#include "codegen/common/CloseLoops.h"
#include "codegen/common/StructuriseDivergent.h"
#include "codegen/cpu/3_structurise/FlattenBranches.h"
#include "codegen/cpu/Region.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/LCSSA.h"

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

} // namespace

Status structurise(Function &region, const RegionOptions &options,
                   FunctionAnalysisManager &analyses) {
  putWaitingLast(region);
  removeReconvergences(region);
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(InstSimplifyPass());
  passes.addPass(DCEPass());
  passes.run(region, analyses);
  structuriseDivergent(region, analyses);
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
