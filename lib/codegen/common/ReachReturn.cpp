//===- ReachReturn.cpp - Every path of a region ends ----------------------===//

#include "codegen/common/ReachReturn.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace bessemer::codegen {

namespace {

using BlockSet = SmallPtrSet<BasicBlock *, 32>;

/// The blocks from which a return is reached.
BlockSet endingBlocks(Function &region) {
  BlockSet result;
  for (BasicBlock &block : region)
    if (isa<ReturnInst>(block.getTerminator()))
      for (BasicBlock *before : inverse_depth_first(&block))
        result.insert(before);
  return result;
}

void returnInstead(Instruction *terminator) {
  ReturnInst::Create(terminator->getContext(), nullptr,
                     terminator->getIterator());
  terminator->eraseFromParent();
}

void addExit(const Loop &loop) {
  BasicBlock *header = loop.getHeader();
  Function &region = *header->getParent();
  LLVMContext &context = region.getContext();
  auto *exit = BasicBlock::Create(context, "never", &region);
  ReturnInst::Create(context, nullptr, exit);
  SmallVector<BasicBlock *> latches;
  loop.getLoopLatches(latches);
  BasicBlock *latch = SplitEdge(latches.front(), header);
  Instruction *jump = latch->getTerminator();
  BranchInst::Create(header, exit, ConstantInt::getTrue(context),
                     jump->getIterator());
  jump->eraseFromParent();
}

} // namespace

PreservedAnalyses ReachReturnPass::run(Function &region,
                                       FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : region)
    if (isa<UnreachableInst>(block.getTerminator())) {
      returnInstead(block.getTerminator());
      changed = true;
    }
  DominatorTree dominators(region);
  LoopInfo loops(dominators);
  // From the outside inwards: what leaves an inner loop may reach the exit.
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (!endingBlocks(region).contains(loop->getHeader())) {
      addExit(*loop);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace bessemer::codegen
