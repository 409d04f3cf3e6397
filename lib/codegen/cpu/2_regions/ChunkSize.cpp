//===- ChunkSize.cpp - How many lanes are in flight -----------------------===//

#include "codegen/cpu/2_regions/ChunkSize.h"

#include "codegen/common/Intrinsics.h"
#include "codegen/common/SpmdTTI.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

constexpr unsigned simdgroupLanes = 32;
constexpr unsigned usualLanes = 64;
constexpr unsigned divergentParts = 4;
constexpr unsigned mostLanes = 256;
/// Emitted instructions beyond which holding a whole group in one chunk costs
/// more compile time than the spills at barriers that it saves.
constexpr unsigned emittedBudget = 3000;
/// Scalar instructions beyond which fewer lanes are in flight, for the time
/// that compilation takes.
constexpr unsigned largeKernel = 1500;

} // namespace

static bool hasDivergentLoop(Function &kernel) {
  SpmdAnalyses analyses(/*oneSimdgroup=*/false);
  auto &uniformity =
      analyses.functions.getResult<UniformityInfoAnalysis>(kernel);
  auto &loops = analyses.functions.getResult<LoopAnalysis>(kernel);
  return any_of(kernel, [&](const BasicBlock &block) {
    const Loop *loop = loops.getLoopFor(&block);
    return loop && loop->isLoopExiting(&block) &&
           uniformity.hasDivergentTerminator(block);
  });
}

KernelTraits traitsOf(Function &kernel) {
  KernelTraits traits;
  traits.divergentLoops = hasDivergentLoop(kernel);
  for (const Instruction &instruction : instructions(kernel)) {
    ++traits.instructions;
    Intrinsic id = intrinsicOf(&instruction);
    if (id == Intrinsic::None)
      continue;
    const IntrinsicInfo &info = intrinsicInfo(id);
    traits.barriers |= id == Intrinsic::ThreadgroupBarrier;
    traits.threadIndex |= id == Intrinsic::ThreadIndexInThreadgroup;
    traits.simdgroups |=
        id == Intrinsic::ThreadIndexInSimdgroup ||
        id == Intrinsic::SimdgroupIndexInThreadgroup ||
        (!isBarrier(id) && (info.properties & IntrinsicProperty::Convergent));
  }
  return traits;
}

unsigned chooseLanesInFlight(const KernelTraits &traits,
                             const RegionOptions &options) {
  // Control flow by simdgroup index is then uniform.
  if (traits.simdgroups || traits.instructions > largeKernel)
    return simdgroupLanes;
  if (options.anyShape())
    return usualLanes;
  unsigned padded = alignTo(options.threads(), simdgroupLanes);
  unsigned emitted =
      2 * traits.instructions * divideCeil(padded, options.partLanes);
  // One chunk: barriers cost nothing and no value is spilled at them.
  if (traits.barriers && padded <= mostLanes && emitted <= emittedBudget)
    return padded;
  // Lanes that leave a loop one by one keep their values apart and their masks
  // alive: more than four parts do not stay in registers.
  if (traits.divergentLoops && !traits.barriers)
    return std::clamp(divergentParts * options.partLanes, simdgroupLanes,
                      std::min(usualLanes, padded));
  return std::min(usualLanes, padded);
}

} // namespace bessemer::codegen::cpu
