//===- StridedLoops.cpp - Trip counts that thread ranges give -------------===//
#include "codegen/nvidia/StridedLoops.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace bessemer::codegen::nvidia {

static constexpr unsigned iterationsTogether = 4;
/// Larger bodies have enough to do.
static constexpr unsigned largestBody = 48;

/// How often the loop goes back, if that is one number that LLVM cannot name.
static std::optional<uint32_t> hiddenCount(Loop &loop,
                                           ScalarEvolution &evolution) {
  const SCEV *count = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(count) || isa<SCEVConstant>(count))
    return std::nullopt;
  ConstantRange range = evolution.getUnsignedRange(count);
  const APInt *single = range.getSingleElement();
  if (!single || single->getActiveBits() > 31)
    return std::nullopt;
  return single->getZExtValue();
}

/// The only way out must be the latch's branch.
static BranchInst *onlyExit(Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  if (!latch || loop.getExitingBlock() != latch || !loop.getLoopPreheader())
    return nullptr;
  auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
  return branch && branch->isConditional() ? branch : nullptr;
}

static void countTo(Loop &loop, BranchInst &exit, uint32_t count) {
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  Type *word = Type::getInt32Ty(header->getContext());
  auto *counter = PHINode::Create(word, 2, "counter", header->begin());
  IRBuilder<> builder(&exit);
  Value *next = builder.CreateNUWAdd(counter, builder.getInt32(1));
  counter->addIncoming(builder.getInt32(0), loop.getLoopPreheader());
  counter->addIncoming(next, latch);
  Value *more = builder.CreateICmpNE(counter, builder.getInt32(count));
  bool staysOnTrue = exit.getSuccessor(0) == header;
  exit.setCondition(staysOnTrue ? more : builder.CreateNot(more));
}

static bool isSmall(const Loop &loop) {
  unsigned size = 0;
  for (const BasicBlock *block : loop.blocks()) {
    size += block->size();
    for (const Instruction &instruction : *block)
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && call->isConvergent())
        return false;
  }
  return loop.isInnermost() && size <= largestBody;
}

PreservedAnalyses StridedLoopsPass::run(Function &function,
                                        FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool isChanged = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    BranchInst *exit = onlyExit(*loop);
    std::optional<uint32_t> count =
        exit ? hiddenCount(*loop, evolution) : std::nullopt;
    if (!count)
      continue;
    countTo(*loop, *exit, *count);
    if (isSmall(*loop) && *count + 1 > iterationsTogether)
      addStringMetadataToLoop(loop, "llvm.loop.unroll.count",
                              iterationsTogether);
    isChanged = true;
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace bessemer::codegen::nvidia
