//===- BarrierVote.cpp - Which barrier the lanes wait at ------------------===//

#include "codegen/cpu/2_regions/BarrierVote.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

void emitVote(IRBuilderBase &b, Value *context, uint32_t region) {
  auto word = [&](unsigned offset) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), context, offset);
  };
  auto load = [&](unsigned offset) {
    return b.CreateLoad(b.getInt32Ty(), word(offset));
  };
  Value *mine = b.getInt32(region), *earlier = load(vote::region);
  Value *other = b.CreateAnd(b.CreateICmpNE(earlier, b.getInt32(vote::nobody)),
                             b.CreateICmpNE(earlier, mine));
  b.CreateStore(
      b.CreateOr(load(vote::conflict), b.CreateZExt(other, b.getInt32Ty())),
      word(vote::conflict));
  b.CreateStore(mine, word(vote::region));
}

} // namespace bessemer::codegen::cpu
