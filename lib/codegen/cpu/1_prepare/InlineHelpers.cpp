//===- InlineHelpers.cpp - The kernel alone, without callees --------------===//

#include "codegen/cpu/1_prepare/Prepare.h"

#include "codegen/common/CloseLoops.h"
#include "codegen/common/FunctionPointers.h"
#include "codegen/common/Intrinsics.h"
#include "codegen/common/PrepareLinkage.h"
#include "codegen/common/SourceLine.h"
#include "codegen/common/SpmdTTI.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// Whether a call of `function` can lead to another call of it.
bool isRecursive(const Function &function) {
  SmallPtrSet<const Function *, 16> seen;
  SmallVector<const Function *> worklist{&function};
  while (!worklist.empty()) {
    for (const Instruction &instruction :
         instructions(*worklist.pop_back_val())) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee == &function)
        return true;
      if (callee && seen.insert(callee).second)
        worklist.push_back(callee);
    }
  }
  return false;
}

/// Why a call cannot become part of the kernel; empty if it can.
std::string problemOf(const CallBase &call) {
  if (call.isInlineAsm())
    return "contains inline assembly, which kernels cannot";
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return "calls through a pointer that is no function's";
  std::string name = "calls '" + demangle(callee->getName()) + "'";
  if (callee->isDeclaration())
    return callee->isIntrinsic() || intrinsicOf(*callee) != Intrinsic::None ||
                   callee->getName() == reconvergeIntrinsic
               ? ""
               : name + ", which is declared but not defined";
  if (isRecursive(*callee))
    return name + " recursively. Compiled kernels have no call stack; rewrite "
                  "it as a loop";
  return "";
}

Status checkCalls(const Function &kernel) {
  for (const Instruction &instruction : instructions(kernel))
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      if (std::string problem = problemOf(*call); !problem.empty())
        return makeError(ErrorKind::Unsupported,
                         atSourceLine(instruction) + "kernel '" +
                             kernel.getName().str() + "' " + problem);
  return {};
}

/// `return -f(-x)` as a product by -1: the elimination of tail recursion knows
/// products, not negations. The factors are exact in any order.
struct NegatedRecursion : PassInfoMixin<NegatedRecursion> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      if (instruction.getOpcode() != Instruction::FNeg)
        continue;
      auto *call = dyn_cast<CallBase>(instruction.getOperand(0));
      if (!call || call->getCalledFunction() != &function || !call->hasOneUse())
        continue;
      auto *product = BinaryOperator::CreateFMul(
          call, ConstantFP::get(call->getType(), -1.0));
      product->setHasAllowReassoc(true);
      product->setHasNoSignedZeros(true);
      ReplaceInstWithInst(&instruction, product);
    }
    return PreservedAnalyses::none();
  }
};

bool callsHelpers(const Function &kernel) {
  return any_of(instructions(kernel), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && !callee->isDeclaration();
  });
}

void inlineOnce(Module &module, SpmdAnalyses &analyses) {
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(GlobalDCEPass());
  FunctionPassManager after;
  after.addPass(SROAPass(SROAOptions::ModifyCFG));
  after.addPass(EarlyCSEPass());
  after.addPass(InstCombinePass());
  after.addPass(SimplifyCFGPass());
  after.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(after)));
  passes.run(module, analyses.modules);
}

} // namespace

Status inlineHelpers(Function &kernel) {
  prepareLinkage(kernel);
  kernel.setLinkage(GlobalValue::ExternalLinkage);
  closeLoops(*kernel.getParent(), Waits | Lanes);
  SpmdAnalyses analyses(/*oneSimdgroup=*/false);
  ModulePassManager passes;
  passes.addPass(GlobalDCEPass());
  // Each helper once before it is copied into its callers: much less code to
  // simplify, and self-recursive index helpers become loops.
  FunctionPassManager before;
  before.addPass(SROAPass(SROAOptions::ModifyCFG));
  before.addPass(SimplifyCFGPass());
  before.addPass(NegatedRecursion());
  before.addPass(TailCallElimPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(before)));
  passes.run(*kernel.getParent(), analyses.modules);
  // Simplification may turn a call through a pointer into one more direct call.
  constexpr unsigned mostRounds = 16;
  for (unsigned round = 0; round < mostRounds; ++round) {
    inlineOnce(*kernel.getParent(), analyses);
    if (callsPointers(kernel)) {
      resolveFunctionPointers(*kernel.getParent());
      continue;
    }
    if (Status status = checkCalls(kernel); !status)
      return status;
    if (!callsHelpers(kernel)) {
      openOtherLoops(kernel);
      return {};
    }
  }
  return makeError(ErrorKind::Unsupported,
                   "kernel '" + kernel.getName().str() +
                       "' calls a function that cannot become part of it");
}

} // namespace bessemer::codegen::cpu
