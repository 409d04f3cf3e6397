//===- Prepare.cpp - Kernel IR to one optimised scalar function -----------===//

#include "codegen/cpu/1_prepare/Prepare.h"

#include "codegen/common/SpmdTTI.h"
#include "codegen/cpu/1_prepare/SplitAggregates.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

ScalarizerPass scalarizer() {
  ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  options.ScalarizeVariableInsertExtract = true;
  return ScalarizerPass(options);
}

void optimise(Function &region) {
  SpmdAnalyses analyses(/*oneSimdgroup=*/false);
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(SplitAggregatesPass());
  passes.addPass(scalarizer());
  passes.addPass(analyses.passes.buildFunctionSimplificationPipeline(
      OptimizationLevel::O3, ThinOrFullLTOPhase::None));
  passes.run(region, analyses.functions);
}

// SROA in the pipeline turns small aggregates into vectors again and
// InstCombine forms phis of aggregates, hence the second time.
void tidy(Function &region) {
  SpmdAnalyses analyses(/*oneSimdgroup=*/false);
  FunctionPassManager passes;
  passes.addPass(InstCombinePass());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(SplitAggregatesPass());
  passes.addPass(scalarizer());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(LowerSwitchPass());
  passes.run(region, analyses.functions);
}

} // namespace

Error noBody(const KernelInfo &kernel) {
  return makeError(ErrorKind::NotFound,
                   "kernel '" + kernel.name + "' has no body in the kernel IR");
}

Result<Function *> prepareKernel(Module &module, const KernelInfo &kernel) {
  Function *source = module.getFunction(kernel.symbol);
  if (!source || source->isDeclaration())
    return noBody(kernel);
  if (source->arg_size() != kernel.arguments.size())
    return makeError(ErrorKind::Internal,
                     "kernel '" + kernel.name + "' has " +
                         std::to_string(source->arg_size()) +
                         " parameters but its reflection lists " +
                         std::to_string(kernel.arguments.size()));
  if (Status status = inlineHelpers(*source); !status)
    return status.error();
  Function *region = toRegionFunction(*source, kernel);
  expandMemoryIntrinsics(*region);
  return region;
}

Result<Function *> specialise(Function &prepared,
                              const RegionOptions &options) {
  ValueToValueMapTy map;
  Function *region = CloneFunction(&prepared, map);
  region->setName(prepared.getName() +
                  (options.layout == LaneLayout::Index ? ".index" : ".scalar"));
  lowerAttributes(*region, options);
  optimise(*region);
  foldThreadIndex(*region, options);
  removeProvenChecks(*region);
  expandMemoryIntrinsics(*region);
  tidy(*region);
  if (Status status = checkRegionForm(*region); !status)
    return status.error();
  return region;
}

} // namespace bessemer::codegen::cpu
