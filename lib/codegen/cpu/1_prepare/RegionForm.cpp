//===- RegionForm.cpp - Checks at the end of the preparation --------------===//

#include "codegen/common/CloseLoops.h"
#include "codegen/common/Intrinsics.h"
#include "codegen/common/SourceLine.h"
#include "codegen/cpu/1_prepare/Prepare.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

std::string problemOf(const Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    const Function *callee = call->getCalledFunction();
    if (!callee ||
        (!callee->isIntrinsic() && intrinsicOf(*callee) == Intrinsic::None &&
         callee->getName() != reconvergeIntrinsic))
      return "a call that is none of kernel IR";
  }
  if (instruction.getType()->isVectorTy())
    return "a vector value of '" + std::string(instruction.getOpcodeName()) +
           "'";
  if (isa<IndirectBrInst, InvokeInst, CallBrInst>(instruction))
    return std::string("an instruction '") + instruction.getOpcodeName() + "'";
  return "";
}

} // namespace

void removeProvenChecks(Function &region) {
  for (Instruction &instruction : make_early_inc_range(instructions(region)))
    if (intrinsicOf(&instruction) == Intrinsic::CheckIndex &&
        match(instruction.getOperand(0), PatternMatch::m_One()))
      instruction.eraseFromParent();
}

Status checkRegionForm(const Function &region) {
  for (const Instruction &instruction : instructions(region)) {
    std::string problem = problemOf(instruction);
    if (!problem.empty())
      return makeError(ErrorKind::Unsupported,
                       atSourceLine(instruction) + "kernel '" +
                           region.getName().rsplit('.').first.str() +
                           "' contains " + problem +
                           ", which the CPU cannot run");
  }
  return {};
}

} // namespace bessemer::codegen::cpu
