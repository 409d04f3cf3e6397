//===- UnrollShortLoops.cpp - Where each step is special ----------------===//

#include "codegen/cpu/2_regions/UnrollShortLoops.h"

#include "codegen/common/Intrinsics.h"
#include "codegen/common/SpmdTTI.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
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
/// What a group of neighbouring accesses has at the most.
constexpr unsigned mostNeighbours = 8;

/// Whether a step accesses what lies behind that of the step before, in lanes
/// that are apart from each other.
bool accessesNext(Instruction &instruction, Loop &loop,
                  ScalarEvolution &evolution, UniformityInfo &uniformity) {
  Value *pointer = getLoadStorePointerOperand(&instruction);
  if (!pointer || !uniformity.isDivergent(pointer))
    return false;
  auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(pointer));
  if (!recurrence || recurrence->getLoop() != &loop)
    return false;
  auto *step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution));
  uint64_t size = instruction.getDataLayout().getTypeStoreSize(
      getLoadStoreType(&instruction));
  return step && step->getAPInt() == size;
}

/// What is in a loop that is a reason to unroll it.
struct Contents {
  bool barrier = false, shuffle = false, next = false;
  unsigned instructions = 0;
};

Contents contentsOf(Loop &loop, ScalarEvolution &evolution,
                    UniformityInfo &uniformity) {
  Contents contents;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      Intrinsic id = intrinsicOf(&instruction);
      contents.barrier |= id == Intrinsic::ThreadgroupBarrier;
      contents.shuffle |= id == Intrinsic::Shuffle;
      contents.next |= accessesNext(instruction, loop, evolution, uniformity);
      ++contents.instructions;
    }
  return contents;
}

/// Steps of a loop that is to be unrolled; 0 for others.
unsigned stepsOf(Loop &loop, ScalarEvolution &evolution,
                 UniformityInfo &uniformity, bool oneChunk) {
  if (!loop.isInnermost())
    return 0;
  unsigned steps = evolution.getSmallConstantTripCount(&loop);
  if (!steps || steps > mostSteps)
    return 0;
  Contents contents = contentsOf(loop, evolution, uniformity);
  if (contents.instructions > mostInstructions)
    return 0;
  bool neighbours =
      contents.next && steps <= mostNeighbours && isPowerOf2_32(steps);
  bool wanted = contents.barrier ? oneChunk : contents.shuffle || neighbours;
  return wanted ? steps : 0;
}

bool unroll(Function &kernel, FunctionAnalysisManager &analyses,
            bool oneChunk) {
  auto &loops = analyses.getResult<LoopAnalysis>(kernel);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(kernel);
  auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(kernel);
  // Of all loops before one is changed.
  SmallVector<std::pair<Loop *, unsigned>> found;
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(kernel);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(kernel);
  auto &costs = analyses.getResult<TargetIRAnalysis>(kernel);
  OptimizationRemarkEmitter remarks(&kernel);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (unsigned steps = stepsOf(*loop, evolution, uniformity, oneChunk))
      found.push_back({loop, steps});
  for (auto [loop, steps] : found) {
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

void unrollShortLoops(Function &kernel, bool oneChunk) {
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
