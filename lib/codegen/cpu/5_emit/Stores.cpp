//===- Stores.cpp - Writing memory for all lanes of a part ----------------===//

#include "codegen/cpu/5_emit/Emitter.h"

#include <numeric>

using namespace llvm;

namespace bessemer::codegen::cpu {

void Emitter::emitStores(StoreInst &store, unsigned from, unsigned to) {
  Type *type = store.getValueOperand()->getType();
  bool hasScatter = abilities.scatter && layout.getTypeStoreSize(type) >= 4;
  bool inLoop = options.size != CodeSize::Any && !hasScatter &&
                !type->isIntegerTy(1); // less than a byte
  if (inLoop)
    scatterInLoop(store, from, to);
  for (unsigned part = from; part < to; ++part)
    if (!inLoop || !isScattered(store, part))
      emitStore(store, part);
}

bool Emitter::isConsecutive(const StoreInst &store) const {
  Type *type = store.getValueOperand()->getType();
  Shape address = shapes.of(store.getPointerOperand());
  if (!address.isLinear() || type->isIntegerTy(1))
    return false;
  int64_t size = layout.getTypeStoreSize(type);
  bool consecutive = true;
  for (unsigned lane = 0; lane < lanes; ++lane)
    consecutive &= address.offset(lane) == address.offset(0) + size * lane;
  return consecutive;
}

/// Whether each active lane of a part writes for itself.
bool Emitter::isScattered(const StoreInst &store, unsigned part) const {
  Shape address = shapes.of(store.getPointerOperand()),
        stored = shapes.of(store.getValueOperand());
  if (!store.isSimple() || isAllOff(part) || isConsecutive(store) ||
      store.getValueOperand()->getType()->isAggregateType())
    return false;
  const AccessGroup *group = groups.of(&store);
  if (group && mayAccessGroup(*group, part))
    return false;
  return !(address.isUniform() && stored.isUniform()) &&
         !(address.isPartUniform() && stored.isPartUniform() && isAllOn(part));
}

void Emitter::emitStore(StoreInst &store, unsigned part) {
  Value *pointer = store.getPointerOperand(), *value = store.getValueOperand();
  if (value->getType()->isAggregateType()) {
    fail(&store, "a store of an aggregate");
    return;
  }
  if (isScattered(store, part)) {
    scatter(store, part);
    return;
  }
  Shape address = shapes.of(pointer), stored = shapes.of(value);
  if (address.isUniform() && stored.isUniform()) {
    if (part)
      return;
    auto *copy = cast<StoreInst>(store.clone());
    copy->setOperand(0, uniform(value));
    copy->setOperand(1, uniform(pointer));
    copy->dropUnknownNonDebugMetadata();
    copy->setDebugLoc(b.getCurrentDebugLocation());
    b.Insert(copy);
    return;
  }
  if (!store.isSimple()) {
    repeatForLanes(store, part);
    return;
  }
  if (isAllOff(part))
    return;
  const AccessGroup *group = groups.of(&store);
  if (group && mayAccessGroup(*group, part)) {
    // All at the last one, when every value is there.
    if (group->members.back().access == &store)
      storeGroup(*group, store, part);
    return;
  }
  if (address.isPartUniform() && stored.isPartUniform() && isAllOn(part))
    b.CreateAlignedStore(base(value, part), base(pointer, part),
                         store.getAlign());
  else
    storeConsecutive(store, address.offset(0), part);
}

void Emitter::storeConsecutive(StoreInst &store, int64_t first, unsigned part) {
  Value *value = vector(store.getValueOperand(), part);
  Value *address = offsetBy(base(store.getPointerOperand(), part), first);
  unsigned size = layout.getTypeStoreSize(store.getValueOperand()->getType());
  if (isAllOn(part)) {
    if (options.streaming && streams.contains(&store))
      storePastCaches(value, address);
    else
      b.CreateAlignedStore(value, address, store.getAlign());
    return;
  }
  if (size >= 4 || abilities.narrowMaskedMemory) {
    b.CreateMaskedStore(value, address, store.getAlign(), mask[part]);
    return;
  }
  // No masked form: whole where every lane is on, else one lane at a time.
  Block *whole = newBlock("store.whole"), *some = newBlock("store.some"),
        *done = newBlock("store.done");
  b.CreateCondBr(allOf(mask[part]), whole, some);
  b.SetInsertPoint(whole);
  b.CreateAlignedStore(value, address, store.getAlign());
  b.CreateBr(done);
  b.SetInsertPoint(some);
  repeatForLanes(store, part);
  b.CreateBr(done);
  b.SetInsertPoint(done);
}

/// In pieces of the alignment that every allocation has. Narrow parts are no
/// smaller: their neighbours are joined by the write buffers.
void Emitter::storePastCaches(Value *value, Value *address) {
  auto *type = cast<FixedVectorType>(value->getType());
  unsigned size = layout.getTypeStoreSize(type->getElementType());
  unsigned count = std::min(type->getNumElements(), streamAlignment / size);
  MDNode *nontemporal =
      MDNode::get(region.getContext(), ConstantAsMetadata::get(b.getInt32(1)));
  for (unsigned first = 0; first < type->getNumElements(); first += count) {
    SmallVector<int, 16> elements(count);
    std::iota(elements.begin(), elements.end(), first);
    StoreInst *piece = b.CreateAlignedStore(
        b.CreateShuffleVector(value, elements), offsetBy(address, first * size),
        Align(count * size));
    piece->setMetadata(LLVMContext::MD_nontemporal, nontemporal);
  }
}

void Emitter::scatter(StoreInst &store, unsigned part) {
  Value *value = vector(store.getValueOperand(), part);
  unsigned size = layout.getTypeStoreSize(store.getValueOperand()->getType());
  if (abilities.scatter && size >= 4) {
    b.CreateMaskedScatter(value, vector(store.getPointerOperand(), part),
                          store.getAlign(), maskOf(part));
    return;
  }
  // Unrolled stores are faster than a loop, but many parts of them are a lot
  // of code.
  const unsigned unrolledLanes = 64;
  if (options.lanesInFlight > unrolledLanes || options.size != CodeSize::Any) {
    repeatForLanes(store, part);
    return;
  }
  spread += 3 * lanes;
  PartValues pointers = lanePointers(store.getPointerOperand(), part);
  for (uint64_t lane = 0; lane < lanes; ++lane)
    b.CreateAlignedStore(b.CreateExtractElement(value, lane), pointers[lane],
                         store.getAlign());
}

/// The scattered ones of some parts, at most a simdgroup: one loop for all.
void Emitter::scatterInLoop(StoreInst &store, unsigned from, unsigned to) {
  Value *bits = nullptr, *values = nullptr, *pointers = nullptr;
  unsigned count = (to - from) * lanes;
  for (unsigned part = from; part < to; ++part) {
    if (!isScattered(store, part))
      continue;
    Value *value = vector(store.getValueOperand(), part),
          *pointer = vector(store.getPointerOperand(), part);
    if (!bits) {
      bits = b.getInt64(0);
      values = laneMemory(value->getType()->getScalarType(), count, 0);
      pointers = laneMemory(b.getPtrTy(), count, 1);
    }
    uint64_t first = (part - from) * lanes;
    storeLanes(value, values, first);
    storeLanes(pointer, pointers, first);
    Value *on = b.CreateZExt(laneBits(maskOf(part)), b.getInt64Ty());
    bits = b.CreateOr(bits, b.CreateShl(on, first));
  }
  if (!bits)
    return;
  forEachBit(bits, [&](Value *lane) {
    Type *type = held(store.getValueOperand()->getType());
    Value *value = b.CreateLoad(type, b.CreateGEP(type, values, lane));
    Value *pointer =
        b.CreateLoad(b.getPtrTy(), b.CreateGEP(b.getPtrTy(), pointers, lane));
    b.CreateAlignedStore(value, pointer, store.getAlign());
  });
}

} // namespace bessemer::codegen::cpu
