//===- ActiveMasks.cpp - Which lanes are together at a block --------------===//
#include "codegen/nvidia/ActiveMasks.h"

#include "codegen/common/PinnedExitValues.h"
#include "codegen/common/StructuriseDivergent.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace bessemer::codegen::nvidia {

static void structurise(Function &function, FunctionAnalysisManager &analyses) {
  structuriseDivergent(function, analyses);
  FunctionPassManager tidy;
  tidy.addPass(InstSimplifyPass());
  tidy.addPass(DCEPass());
  // Masks of loops need preheaders; uniformity needs values that leave a
  // divergent loop to go through phis.
  tidy.addPass(LoopSimplifyPass());
  tidy.addPass(LCSSAPass());
  tidy.run(function, analyses);
}

ActiveMasks::ActiveMasks(Function &function, Value *entry,
                         SpmdAnalyses &analyses)
    : entry(entry) {
  structurise(function, analyses.functions);
  analyses.functions.invalidate(function, PreservedAnalyses::none());
  {
    PinnedExitValues pins(function);
    uniformity =
        &analyses.functions.getResult<UniformityInfoAnalysis>(function);
  }
  dominators = &analyses.functions.getResult<DominatorTreeAnalysis>(function);
  postDominators =
      &analyses.functions.getResult<PostDominatorTreeAnalysis>(function);
  loops = &analyses.functions.getResult<LoopAnalysis>(function);
}

Value *ActiveMasks::at(BasicBlock *block) {
  if (auto known = masks.find(block); known != masks.end())
    return known->second;
  Value *mask = compute(block);
  masks[block] = mask;
  return mask;
}

Value *ActiveMasks::compute(BasicBlock *block) {
  auto *node = dominators->getNode(block);
  if (!node || !node->getIDom()) // the entry, or unreachable
    return entry;
  Loop *loop = loops->getLoopFor(block);
  if (loop && loop->getHeader() == block)
    return atHeader(*loop);
  BasicBlock *dominator = node->getIDom()->getBlock();
  // Lanes that have left a loop wait behind it for the others.
  Loop *left = nullptr;
  for (Loop *outer = loops->getLoopFor(dominator);
       outer && !outer->contains(block); outer = outer->getParentLoop())
    left = outer;
  if (left)
    return left->getLoopPreheader() ? at(left->getLoopPreheader())
                                    : converged(block);
  if (postDominators->dominates(block, dominator) ||
      !uniformity->hasDivergentTerminator(*dominator))
    return at(dominator);
  Instruction *branch = dominator->getTerminator();
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
    if (dominators->dominates(
            BasicBlockEdge(dominator, branch->getSuccessor(i)), block))
      return alongEdge(dominator, i);
  return converged(block);
}

Value *ActiveMasks::atHeader(Loop &loop) {
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  BasicBlock *preheader = loop.getLoopPreheader();
  if (!preheader || !latch)
    return converged(header);
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  if (none_of(exiting, [&](BasicBlock *block) {
        return uniformity->hasDivergentTerminator(*block);
      }))
    return at(preheader);
  if (exiting.size() != 1 || exiting.front() != latch)
    return converged(header);
  auto *mask = PHINode::Create(Type::getInt32Ty(header->getContext()), 2,
                               "active", header->begin());
  masks[header] = mask;
  unsigned back = latch->getTerminator()->getSuccessor(0) == header ? 0 : 1;
  mask->addIncoming(at(preheader), preheader);
  mask->addIncoming(alongEdge(latch, back), latch);
  return mask;
}

Value *ActiveMasks::alongEdge(BasicBlock *block, unsigned index) {
  if (Value *known = edges.lookup({block, index}))
    return known;
  Value *mask = at(block);
  auto *branch = cast<BranchInst>(block->getTerminator());
  IRBuilder<> builder(branch);
  Value *taken = branch->getCondition();
  if (index == 1)
    taken = builder.CreateNot(taken);
  Value *active = builder.CreateIntrinsic(
      llvm::Intrinsic::nvvm_vote_ballot_sync, {mask, taken}, {}, "active");
  edges[{block, index}] = active;
  return active;
}

/// Where the structure is not known: the lanes that happen to be together.
Value *ActiveMasks::converged(BasicBlock *block) {
  IRBuilder<> builder(block, block->getFirstInsertionPt());
  return builder.CreateIntrinsic(llvm::Intrinsic::nvvm_activemask,
                                 ArrayRef<Value *>(), {}, "active");
}

} // namespace bessemer::codegen::nvidia
