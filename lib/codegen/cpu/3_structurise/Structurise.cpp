//===- Structurise.cpp - Divergent control flow as ifs and loops ----------===//
//
// Afterwards a divergent branch has a block where its sides meet again, and a
// loop that lanes leave at different times has one exit, at its latch. Uniform
// control flow stays as it is.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/Region.h"

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

Status structurise(Function &region, const RegionOptions &options,
                   FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(InstSimplifyPass());
  passes.addPass(DCEPass());
  passes.addPass(LowerSwitchPass());
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(FixIrreduciblePass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(UnifyLoopExitsPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(StructurizeCFGPass(/*SkipUniformRegions=*/true));
  passes.addPass(InstSimplifyPass());
  passes.addPass(DCEPass());
  // Last: the phis that it puts at loop exits have one operand and merge what
  // lanes hold when they leave at different times. A pass that folds such phis
  // would lose that.
  passes.addPass(LCSSAPass());
  passes.run(region, analyses);
  return Status();
}

} // namespace bessemer::codegen::cpu
