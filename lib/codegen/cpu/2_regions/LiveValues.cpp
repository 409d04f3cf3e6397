//===- LiveValues.cpp - What lives across barriers ------------------------===//

#include "codegen/cpu/2_regions/LiveValues.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

using BlockSet = SmallPtrSet<BasicBlock *, 16>;

/// Blocks at whose beginning `value` is live.
BlockSet liveIn(Instruction &value) {
  BasicBlock *home = value.getParent();
  SmallVector<BasicBlock *> worklist;
  for (Use &use : value.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
    if (block != home)
      worklist.push_back(block);
  }
  BlockSet live;
  while (!worklist.empty()) {
    BasicBlock *block = worklist.pop_back_val();
    if (!live.insert(block).second)
      continue;
    for (BasicBlock *predecessor : predecessors(block))
      if (predecessor != home)
        worklist.push_back(predecessor);
  }
  return live;
}

} // namespace

std::vector<LiveValue> findLiveValues(Function &kernel,
                                      ArrayRef<BasicBlock *> barriers) {
  std::vector<LiveValue> result;
  for (Instruction &instruction : instructions(kernel)) {
    if (instruction.getType()->isVoidTy())
      continue;
    BlockSet live = liveIn(instruction);
    LiveValue value;
    value.value = &instruction;
    for (auto [number, block] : enumerate(barriers))
      if (live.contains(block))
        value.barriers.push_back(number);
    if (!value.barriers.empty())
      result.push_back(std::move(value));
  }
  return result;
}

} // namespace bessemer::codegen::cpu
