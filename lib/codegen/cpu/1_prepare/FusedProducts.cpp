//===- FusedProducts.cpp - llvm.fmuladd rounds once -----------------------===//

#include "codegen/cpu/1_prepare/FusedProducts.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

static bool hasInstruction(const TargetMachine &target) {
  return !target.getTargetTriple().isX86() ||
         target.getMCSubtargetInfo()->checkFeatures("+fma");
}

void fuseProducts(Module &module, const TargetMachine &target) {
  if (!hasInstruction(target))
    return;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == Intrinsic::fmuladd &&
          call->getType()->getScalarType()->isFloatTy())
        call->setCalledFunction(Intrinsic::getOrInsertDeclaration(
            &module, Intrinsic::fma, {call->getType()}));
}

} // namespace bessemer::codegen::cpu
