//===- Prepare.cpp - The kernel alone, inlined and simplified -------------===//
#include "codegen/nvidia/Steps.h"

#include "codegen/common/CloseLoops.h"
#include "codegen/common/FunctionPointers.h"
#include "codegen/common/Intrinsics.h"
#include "codegen/common/PrepareLinkage.h"
#include "codegen/common/SpmdTTI.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
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
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace bessemer::codegen::nvidia {

/// The front end marks all loops as not to be unrolled; here that is for LLVM
/// to decide.
static void allowUnrolling(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function) {
      Instruction *end = block.getTerminator();
      if (MDNode *loop = end->getMetadata(LLVMContext::MD_loop))
        end->setMetadata(
            LLVMContext::MD_loop,
            makePostTransformationMetadata(module.getContext(), loop,
                                           {"llvm.loop.unroll.disable"}, {}));
    }
}

static void inlineHelpers(Module &module, SpmdAnalyses &analyses) {
  ModulePassManager passes;
  passes.addPass(GlobalDCEPass());
  // Each helper once before it is copied into its callers.
  FunctionPassManager before;
  before.addPass(SROAPass(SROAOptions::ModifyCFG));
  before.addPass(SimplifyCFGPass());
  before.addPass(TailCallElimPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(before)));
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(GlobalDCEPass());
  passes.run(module, analyses.modules);
}

/// What a lock of relaxed atomics guards is seen by lanes that run in step, as
/// the loop's author expects; on a GPU its accesses must also be ordered.
static void orderLocks(Function &function) {
  if (!hasLocks(function))
    return;
  constexpr AtomicOrdering order = AtomicOrdering::AcquireRelease;
  SyncScope::ID device = function.getContext().getOrInsertSyncScopeID("device");
  SmallVector<Instruction *> atomics; // also those that unlock behind a loop
  for (Instruction &instruction : instructions(function))
    if (instruction.isAtomic() && !isa<FenceInst>(instruction))
      atomics.push_back(&instruction);
  // Fences, since NVPTX gives read-modify-writes no order of their own.
  for (Instruction *atomic : atomics) {
    IRBuilder<>(atomic).CreateFence(order, device);
    IRBuilder<>(atomic->getNextNode()).CreateFence(order, device);
  }
}

/// Variables in memory hide what a loop's end depends on.
static void keepInRegisters(Function &function, SpmdAnalyses &analyses) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  analyses.functions.invalidate(function,
                                passes.run(function, analyses.functions));
}

static void simplify(Module &module, SpmdAnalyses &analyses) {
  ModulePassManager passes;
  FunctionPassManager functions;
  functions.addPass(SROAPass(SROAOptions::ModifyCFG));
  functions.addPass(analyses.passes.buildFunctionSimplificationPipeline(
      OptimizationLevel::O2, ThinOrFullLTOPhase::None));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  passes.addPass(GlobalDCEPass());
  passes.run(module, analyses.modules);
}

Result<Function *> prepare(Module &module, const KernelInfo &kernel) {
  Function *function = module.getFunction(kernel.symbol);
  if (!function || function->isDeclaration())
    return makeError(ErrorKind::NotFound, "kernel '" + kernel.name +
                                              "' has no body in the kernel IR");
  if (function->arg_size() != kernel.arguments.size())
    return makeError(ErrorKind::Internal,
                     "kernel '" + kernel.name + "' has " +
                         std::to_string(function->arg_size()) +
                         " parameters but its reflection lists " +
                         std::to_string(kernel.arguments.size()));
  prepareLinkage(*function);
  function->setLinkage(GlobalValue::ExternalLinkage);
  closeLoops(module, Waits | Lanes);
  allowUnrolling(module);
  SpmdAnalyses analyses(/*oneSimdgroup=*/true);
  inlineHelpers(module, analyses);
  if (callsPointers(*function)) {
    simplify(module, analyses); // may find the one function that it can be
    if (callsPointers(*function))
      resolveFunctionPointers(module);
    inlineHelpers(module, analyses);
  }
  keepInRegisters(*function, analyses);
  openOtherLoops(*function);
  orderLocks(*function);
  simplify(module, analyses);
  return function;
}

} // namespace bessemer::codegen::nvidia
