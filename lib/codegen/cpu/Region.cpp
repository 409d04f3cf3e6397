//===- Region.cpp - What the stages of CPU code generation share ----------===//

#include "codegen/cpu/Region.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {
constexpr unsigned maximumThreads = 1024;
} // namespace

unsigned RegionOptions::paddedThreads() const {
  return alignTo(anyShape() ? maximumThreads : threads(), lanesInFlight);
}

unsigned RegionOptions::chunks() const {
  return anyShape() ? 0 : divideCeil(threads(), lanesInFlight);
}

unsigned privateElementSize(const Instruction &base) {
  const DataLayout &layout = base.getDataLayout();
  SmallVector<const Value *> worklist{&base};
  SmallPtrSet<const Value *, 8> seen;
  unsigned size = 0;
  while (!worklist.empty()) {
    const Value *address = worklist.pop_back_val();
    if (!seen.insert(address).second)
      continue;
    for (const User *user : address->users()) {
      if (isa<GetElementPtrInst>(user)) {
        worklist.push_back(user);
        continue;
      }
      if (const auto *marker = dyn_cast<IntrinsicInst>(user);
          marker && marker->isLifetimeStartOrEnd())
        continue;
      const auto *store = dyn_cast<StoreInst>(user);
      if (!isa<LoadInst>(user) &&
          !(store && store->getPointerOperand() == address))
        return 0;
      if (store && store->getValueOperand() == address)
        return 0;
      unsigned access =
          layout.getTypeStoreSize(getLoadStoreType(cast<Instruction>(user)));
      if (size && size != access)
        return 0;
      size = access;
    }
  }
  return size;
}

} // namespace bessemer::codegen::cpu
