//===- Counting.cpp - Loops whose steps are counted -----------------------===//

#include "codegen/common/Counting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace bessemer::codegen {

static constexpr unsigned constantSpace = 4;

bool Counting::isInEveryStep(const BasicBlock *block) const {
  return all_of(predecessors(loop.getHeader()), [&](const BasicBlock *from) {
    return !loop.contains(from) || dominators.dominates(block, from);
  });
}

void Counting::push(const Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (instruction && loop.contains(instruction) && seen.insert(value).second)
    worklist.push_back(instruction);
}

/// A variable is followed through its stores in the loop.
bool Counting::countsVariable(const AllocaInst &variable) {
  for (const User *user : variable.users()) {
    auto *instruction = dyn_cast<Instruction>(user);
    if (!instruction || isa<LoadInst>(instruction) ||
        !loop.contains(instruction))
      continue;
    auto *store = dyn_cast<StoreInst>(instruction);
    if (!store || store->getPointerOperand() != &variable ||
        !isInEveryStep(store->getParent()))
      return false;
    push(store->getValueOperand());
  }
  return true;
}

/// A function without them has nothing to look at but its arguments.
static bool readsThroughPointers(const Instruction &call) {
  return any_of(cast<CallBase>(call).args(), [](const Use &argument) {
    return argument->getType()->isPointerTy();
  });
}

bool Counting::counts(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    const Value *address = load->getPointerOperand();
    if (auto *variable = dyn_cast<AllocaInst>(address))
      return countsVariable(*variable);
    // Constant memory does not change.
    if (address->getType()->getPointerAddressSpace() != constantSpace)
      return false;
  } else if (isa<CallBase>(instruction)) {
    if (crossesLanes(instruction) || readsThroughPointers(instruction))
      return false;
  } else if (isa<PHINode, SelectInst>(instruction) ||
             instruction.mayReadOrWriteMemory()) {
    return false;
  }
  for (const Value *operand : instruction.operands())
    push(operand);
  return true;
}

bool Counting::test() {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  for (const BasicBlock *block : exiting) {
    if (!isInEveryStep(block))
      return false;
    for (const Value *operand : block->getTerminator()->operands())
      push(operand);
  }
  while (!worklist.empty())
    if (!counts(*worklist.pop_back_val()))
      return false;
  return true;
}

} // namespace bessemer::codegen
