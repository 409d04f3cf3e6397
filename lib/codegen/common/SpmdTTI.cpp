//===- SpmdTTI.cpp - A target on which threads diverge --------------------===//

#include "codegen/common/SpmdTTI.h"

#include "codegen/common/Intrinsics.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace bessemer::codegen {

namespace {

InstructionUniformity uniformityOf(const Value *value, bool oneSimdgroup) {
  // The address of private memory differs, an atomic returns each lane its own.
  if (isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(value))
    return InstructionUniformity::NeverUniform;
  const auto *call = dyn_cast<CallBase>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return InstructionUniformity::Default;
  if (callee->getName() == "bsm.cpu.private") // as of an alloca
    return InstructionUniformity::NeverUniform;
  Intrinsic id = intrinsicOf(*callee);
  if (id == Intrinsic::None)
    return InstructionUniformity::Default;
  switch (intrinsicInfo(id).uniformity) {
  case Uniformity::Threadgroup:
    return InstructionUniformity::AlwaysUniform;
  case Uniformity::Simdgroup:
    return oneSimdgroup ? InstructionUniformity::AlwaysUniform
                        : InstructionUniformity::NeverUniform;
  case Uniformity::Never:
    return InstructionUniformity::NeverUniform;
  case Uniformity::Pure:
    return InstructionUniformity::Default;
  }
  llvm_unreachable("uniformity");
}

// The CRTP base and not the plain one, which has no instruction costs.
class SpmdTTI final : public TargetTransformInfoImplCRTPBase<SpmdTTI> {
public:
  SpmdTTI(const DataLayout &layout, bool oneSimdgroup)
      : TargetTransformInfoImplCRTPBase<SpmdTTI>(layout),
        oneSimdgroup(oneSimdgroup) {}

  bool hasBranchDivergence(const Function *) const override { return true; }

  InstructionUniformity
  getInstructionUniformity(const Value *value) const override {
    return uniformityOf(value, oneSimdgroup);
  }

  // Every unrolled instruction is emitted once per part, so only short loops.
  void getUnrollingPreferences(
      Loop *, ScalarEvolution &,
      TargetTransformInfo::UnrollingPreferences &preferences,
      OptimizationRemarkEmitter *) const override {
    preferences.Threshold = 120;
    preferences.OptSizeThreshold = 0;
    preferences.MaxPercentThresholdBoost = 200;
    preferences.Partial = preferences.Runtime = false;
  }

private:
  bool oneSimdgroup;
};

} // namespace

SpmdAnalyses::SpmdAnalyses(bool oneSimdgroup) {
  functions.registerPass([] {
    TargetLibraryInfoImpl info{Triple()};
    info.disableAllFunctions();
    return TargetLibraryAnalysis(info);
  });
  functions.registerPass([oneSimdgroup] {
    return TargetIRAnalysis([oneSimdgroup](const Function &function) {
      return TargetTransformInfo(std::make_unique<SpmdTTI>(
          function.getParent()->getDataLayout(), oneSimdgroup));
    });
  });
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(sccs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, sccs, modules);
}

} // namespace bessemer::codegen
