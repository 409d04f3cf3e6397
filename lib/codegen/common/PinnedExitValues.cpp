//===- PinnedExitValues.cpp - Divergence at loop exits --------------------===//

#include "codegen/common/PinnedExitValues.h"

#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace bessemer::codegen {

PinnedExitValues::PinnedExitValues(Function &function) {
  CycleInfo cycles;
  cycles.compute(function);
  for (BasicBlock &exit : function)
    for (PHINode &phi : exit.phis()) {
      if (phi.hasConstantOrUndefValue()) // the same along every edge
        continue;
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        BasicBlock *from = phi.getIncomingBlock(i);
        const Cycle *cycle = cycles.getCycle(from);
        if (!cycle || cycle->contains(&exit))
          continue;
        Value *value = phi.getIncomingValue(i);
        auto *instruction = dyn_cast<Instruction>(value);
        if (isa<UndefValue>(value) ||
            (instruction && cycle->contains(instruction->getParent())))
          continue;
        auto *pin =
            new FreezeInst(value, "pin", from->getTerminator()->getIterator());
        phi.setIncomingValue(i, pin);
        pins.push_back(pin);
      }
    }
}

PinnedExitValues::~PinnedExitValues() {
  for (const WeakVH &handle : pins)
    if (Value *pin = handle) {
      auto *freeze = cast<FreezeInst>(pin);
      freeze->replaceAllUsesWith(freeze->getOperand(0));
      freeze->eraseFromParent();
    }
}

} // namespace bessemer::codegen
