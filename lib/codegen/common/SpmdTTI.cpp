//===- SpmdTTI.cpp - A target on which threads diverge --------------------===//

#include "codegen/common/SpmdTTI.h"

#include "codegen/common/Intrinsics.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/ValueTracking.h"
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

/// Of a private array that may live in registers.
constexpr uint64_t smallArray = 128;
/// Of a loop that walks through one. Unrolled, its elements are values.
constexpr unsigned unrolledWalk = 1500;
/// Steps of a loop within it, which is then unrolled as well or copied.
constexpr unsigned mostInnerSteps = 8;

/// Whether `loop` chooses the elements of a small private array. Not where it
/// repeats a long loop, of which there would be as many copies.
bool walksSmallArray(const Loop &loop, ScalarEvolution &evolution) {
  for (Loop *inner : loop.getSubLoops()) {
    unsigned steps = evolution.getSmallConstantTripCount(inner);
    if (!steps || steps > mostInnerSteps)
      return false;
  }
  auto chooses = [&](const GetElementPtrInst &address) {
    auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(&address));
    auto size =
        array ? array->getAllocationSize(array->getModule()->getDataLayout())
              : std::nullopt;
    return size && size->getFixedValue() <= smallArray &&
           any_of(address.indices(), [&](Value *index) {
             return !evolution.isLoopInvariant(evolution.getSCEV(index), &loop);
           });
  };
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (auto *address = dyn_cast<GetElementPtrInst>(&instruction);
          address && chooses(*address))
        return true;
  return false;
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

  // Every unrolled instruction is emitted once per part, so loops stay but for
  // those that keep an array in memory.
  void getUnrollingPreferences(
      Loop *loop, ScalarEvolution &evolution,
      TargetTransformInfo::UnrollingPreferences &preferences,
      OptimizationRemarkEmitter *) const override {
    preferences.Threshold =
        walksSmallArray(*loop, evolution) ? unrolledWalk : 0;
    preferences.OptSizeThreshold = 0;
    preferences.MaxPercentThresholdBoost = 200;
    preferences.Partial = preferences.Runtime = false;
  }

  // Nothing is free in latency, which only StructurizeCFG asks for: it hoists
  // free instructions and then joins their phis with those of other ways into
  // the same block, which lose their value (LLVM 22, simplifyHoistedPhis).
  InstructionCost
  getInstructionCost(const User *user, ArrayRef<const Value *> operands,
                     TargetTransformInfo::TargetCostKind kind) const override {
    InstructionCost cost =
        TargetTransformInfoImplCRTPBase<SpmdTTI>::getInstructionCost(
            user, operands, kind);
    if (kind == TargetTransformInfo::TCK_Latency && cost == 0)
      return TargetTransformInfo::TCC_Basic;
    return cost;
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
