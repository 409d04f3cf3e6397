//===- Cleanup.cpp - Optimisations after emission -------------------------===//
//
// Not one of LLVM's default pipelines: this list takes a small part of their
// time and leaves code that runs about as fast, since the vector form is made
// already.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/6_cleanup/Distances.h"
#include "codegen/cpu/6_cleanup/NarrowProducts.h"
#include "codegen/cpu/6_cleanup/WidenMasks.h"
#include "codegen/cpu/Region.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

static FunctionPassManager functionPasses() {
  FunctionPassManager passes;
  auto simplify = [&passes] {
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
  };
  simplify();
  passes.addPass(createFunctionToLoopPassAdaptor(
      LICMPass(/*LicmMssaOptCap=*/100, /*LicmMssaNoAccForPromotionCap=*/100,
               /*AllowSpeculation=*/true),
      /*UseMemorySSA=*/true));
  simplify();
  passes.addPass(ADCEPass());
  return passes;
}

Status cleanUp(Module &module, TargetMachine &target) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder builder(&target);
  // Nothing may be turned into a library call, as none is linked.
  functions.registerPass([&] {
    TargetLibraryInfoImpl info(target.getTargetTriple());
    info.disableAllFunctions();
    return TargetLibraryAnalysis(info);
  });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);

  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(createModuleToFunctionPassAdaptor(functionPasses()));
  passes.run(module, modules);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    narrowProducts(function);
    expandDistances(function, target);
    widenMasks(function, target);
  }
  return Status();
}

} // namespace bessemer::codegen::cpu
