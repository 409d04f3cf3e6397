//===- Cut.cpp - One function per stretch between barriers ----------------===//

#include "codegen/common/Intrinsics.h"
#include "codegen/cpu/Region.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

Result<RegionSet> cutRegions(Function &kernel, const RegionOptions &options) {
  SmallVector<Instruction *> barriers;
  for (Instruction &instruction : instructions(kernel))
    if (intrinsicOf(&instruction) == Intrinsic::ThreadgroupBarrier)
      barriers.push_back(&instruction);
  if (barriers.empty() || options.chunks() == 1)
    return RegionSet{{&kernel}, 64};
  return makeError(ErrorKind::Unsupported,
                   "barriers in groups of several chunks");
}

} // namespace bessemer::codegen::cpu
