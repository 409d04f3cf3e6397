//===- UnrollExchanges.cpp - Reductions step by step ----------------------===//

#include "codegen/cpu/2_regions/UnrollExchanges.h"

#include "codegen/common/Intrinsics.h"
#include "codegen/common/SpmdTTI.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// Halving 1024 threads takes 10 steps.
constexpr unsigned mostSteps = 10;
/// Of a step. Longer bodies do more than the masks cost.
constexpr unsigned mostInstructions = 40;

/// Steps of a loop that is to be unrolled; 0 for others.
unsigned stepsOf(Loop &loop, ScalarEvolution &evolution, bool oneChunk) {
  bool barrier = false, shuffle = false;
  unsigned instructions = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      barrier |= intrinsicOf(&instruction) == Intrinsic::ThreadgroupBarrier;
      shuffle |= intrinsicOf(&instruction) == Intrinsic::Shuffle;
      ++instructions;
    }
  if (!(barrier ? oneChunk : shuffle) || !loop.isInnermost() ||
      instructions > mostInstructions)
    return 0;
  unsigned steps = evolution.getSmallConstantTripCount(&loop);
  return steps <= mostSteps ? steps : 0;
}

bool unroll(Function &kernel, FunctionAnalysisManager &analyses,
            bool oneChunk) {
  auto &loops = analyses.getResult<LoopAnalysis>(kernel);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(kernel);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(kernel);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(kernel);
  auto &costs = analyses.getResult<TargetIRAnalysis>(kernel);
  OptimizationRemarkEmitter remarks(&kernel);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    unsigned steps = stepsOf(*loop, evolution, oneChunk);
    if (!steps)
      continue;
    UnrollLoopOptions options{};
    options.Count = steps;
    options.Force = true;
    options.ForgetAllSCEV = true;
    changed |=
        UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions,
                   &costs, &remarks,
                   /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
  }
  return changed;
}

} // namespace

void unrollExchanges(Function &kernel, bool oneChunk) {
  SpmdAnalyses analyses(/*oneSimdgroup=*/false);
  FunctionPassManager before, after;
  before.addPass(LoopSimplifyPass());
  before.addPass(LCSSAPass());
  before.run(kernel, analyses.functions);
  if (!unroll(kernel, analyses.functions, oneChunk))
    return;
  analyses.functions.invalidate(kernel, PreservedAnalyses::none());
  after.addPass(InstSimplifyPass());
  after.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  after.addPass(SimplifyCFGPass());
  after.run(kernel, analyses.functions);
}

} // namespace bessemer::codegen::cpu
