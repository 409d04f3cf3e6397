//===- Code.cpp - A function, decoded once --------------------------------===//
#include "codegen/interp/Code.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Alignment.h"

using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

Code::Code(const Function &function, const InternConstant &intern)
    : function(function), order(function) {
  for (const Argument &argument : function.args())
    slotOf[&argument] = slots++;
  for (const BasicBlock &block : function) {
    indices[&block] = indices.size();
    for (const Instruction &instruction : block) {
      slotOf[&instruction] = slots++;
      if (auto *variable = dyn_cast<AllocaInst>(&instruction))
        addVariable(*variable);
    }
  }
  for (const BasicBlock &block : function) {
    blocks.push_back({&block, {}});
    for (const Instruction &instruction : block)
      blocks.back().steps.push_back(decode(instruction, intern));
  }
}

void Code::addVariable(const AllocaInst &instruction) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  std::optional<TypeSize> size = instruction.getAllocationSize(layout);
  if (!size || size->isScalable())
    return; // Refused where it is executed.
  // The gap after each variable separates neighbours, as it does in messages.
  uint64_t offset = alignTo(frameBytes, instruction.getAlign());
  uint64_t bytes = size->getFixedValue();
  variables.push_back({&instruction, offset, bytes});
  frameBytes = offset + bytes + 16;
}

Step Code::decode(const Instruction &instruction,
                  const InternConstant &intern) const {
  Step step{&instruction, slotOf.find(&instruction)->second, {}};
  auto *call = dyn_cast<CallBase>(&instruction);
  if (call && call->getCalledFunction()) {
    step.callee = call->getCalledFunction();
    step.builtin = findBuiltin(step.callee->getName());
  }
  for (const Use &use : instruction.operands()) {
    auto slot = slotOf.find(use.get());
    auto *constant = dyn_cast<Constant>(use.get());
    if (slot != slotOf.end())
      step.operands.push_back(slot->second);
    else if (constant && !(call && call->isCallee(&use) && step.callee))
      step.operands.push_back(intern(constant));
    else
      step.operands.push_back(noOperand);
  }
  return step;
}
