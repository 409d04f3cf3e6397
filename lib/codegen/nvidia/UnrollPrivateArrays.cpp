//===- UnrollPrivateArrays.cpp - Loops over arrays in registers -----------===//
//
// A private array is registers only if every subscript is a constant; else it
// lies in local memory, which made one kernel almost six times slower. So a
// loop whose counter indexes a private array is unrolled even where it is much
// larger than what LLVM would unroll.
//
//===----------------------------------------------------------------------===//
#include "codegen/nvidia/UnrollPrivateArrays.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace bessemer::codegen::nvidia {

/// Instructions of the unrolled loops of one nest.
static constexpr uint64_t largestUnrolled = 4000;

static bool indexesPrivateArray(const Loop &loop, ScalarEvolution &evolution) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      Value *pointer = getLoadStorePointerOperand(&instruction);
      if (!pointer || !isa<AllocaInst>(getUnderlyingObject(pointer)))
        continue;
      const SCEV *address = evolution.getSCEV(pointer);
      if (SCEVExprContains(address, [&](const SCEV *part) {
            auto *step = dyn_cast<SCEVAddRecExpr>(part);
            return step && step->getLoop() == &loop;
          }))
        return true;
    }
  return false;
}

static uint64_t sizeOf(const Loop &loop) {
  uint64_t size = 0;
  for (const BasicBlock *block : loop.blocks())
    size += block->size();
  return size;
}

/// Returns the size of the loop once its inner loops and it are unrolled.
static uint64_t markLoop(Loop &loop, ScalarEvolution &evolution) {
  uint64_t size = sizeOf(loop);
  for (Loop *inner : loop) {
    uint64_t unrolled = markLoop(*inner, evolution);
    size += unrolled - std::min(unrolled, sizeOf(*inner));
  }
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (!trips || size * trips > largestUnrolled ||
      !indexesPrivateArray(loop, evolution))
    return size;
  addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  return size * trips;
}

PreservedAnalyses
UnrollPrivateArraysPass::run(Function &function,
                             FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop : loops)
    markLoop(*loop, evolution);
  return PreservedAnalyses::all();
}

} // namespace bessemer::codegen::nvidia
