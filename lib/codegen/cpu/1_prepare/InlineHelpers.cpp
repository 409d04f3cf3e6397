//===- InlineHelpers.cpp - The kernel alone, without callees --------------===//

#include "codegen/cpu/1_prepare/Prepare.h"

#include "codegen/common/Intrinsics.h"
#include "codegen/common/SourceLine.h"
#include "codegen/cpu/SpmdTTI.h"

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

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

void prepareLinkage(Function &kernel) {
  for (GlobalVariable &variable :
       make_early_inc_range(kernel.getParent()->globals())) {
    // llvm.used and its like would keep the other kernels alive.
    if (variable.hasAppendingLinkage())
      variable.eraseFromParent();
    else if (!variable.isDeclaration())
      variable.setLinkage(GlobalValue::InternalLinkage);
  }
  for (Function &function : *kernel.getParent()) {
    function.removeFnAttr(Attribute::OptimizeNone);
    function.removeFnAttr(Attribute::NoInline);
    if (Intrinsic id = intrinsicOf(function); id != Intrinsic::None)
      setIntrinsicAttributes(function, id);
    if (function.isDeclaration() || &function == &kernel)
      continue;
    function.setComdat(nullptr);
    function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::AlwaysInline);
  }
}

Status checkCalls(const Function &kernel) {
  for (const Instruction &instruction : instructions(kernel)) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      continue;
    const Function *callee = call->getCalledFunction();
    if (callee && callee->isDeclaration())
      continue;
    return makeError(
        ErrorKind::Unsupported,
        atSourceLine(instruction) + "kernel '" + kernel.getName().str() + "' " +
            (callee ? "calls '" + callee->getName().str() + "' recursively"
                    : std::string("calls through a function pointer")) +
            "; the CPU cannot run that yet. Rewrite it as a loop or a switch");
  }
  return {};
}

} // namespace

Status inlineHelpers(Function &kernel) {
  prepareLinkage(kernel);
  kernel.setLinkage(GlobalValue::ExternalLinkage);
  SpmdAnalyses analyses(/*oneSimdgroup=*/false);
  ModulePassManager passes;
  passes.addPass(GlobalDCEPass());
  // Each helper once before it is copied into its callers: much less code to
  // simplify, and self-recursive index helpers become loops.
  FunctionPassManager before;
  before.addPass(SROAPass(SROAOptions::ModifyCFG));
  before.addPass(SimplifyCFGPass());
  before.addPass(TailCallElimPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(before)));
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(GlobalDCEPass());
  FunctionPassManager after;
  after.addPass(SROAPass(SROAOptions::ModifyCFG));
  after.addPass(EarlyCSEPass());
  after.addPass(InstCombinePass());
  after.addPass(SimplifyCFGPass());
  after.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(after)));
  passes.run(*kernel.getParent(), analyses.modules);
  return checkCalls(kernel);
}

} // namespace bessemer::codegen::cpu
