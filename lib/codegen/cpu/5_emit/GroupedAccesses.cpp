//===- GroupedAccesses.cpp - k strided accesses as k wide ones ------------===//

#include "codegen/cpu/5_emit/Transposition.h"

#include "llvm/Analysis/VectorUtils.h"

#include <numeric>

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// Elements first .. first + count - 1 of a vector.
Value *slice(IRBuilderBase &b, Value *vector, unsigned first, unsigned count) {
  SmallVector<int, 16> order(count);
  std::iota(order.begin(), order.end(), first);
  return b.CreateShuffleVector(vector, order);
}

} // namespace

Transposition Emitter::transpositionOf(const AccessGroup &group) {
  return {b, lanes, group.elements(), group.size,
          group.segment ? group.segment : lanes};
}

/// The lanes that granule `first`, an element in the order of memory, is about.
Value *Emitter::granuleMask(const AccessGroup &group, unsigned first,
                            unsigned count, unsigned part) {
  SmallVector<int, 16> order;
  for (unsigned i = 0; i < count; ++i)
    order.push_back((first + i) / group.elements());
  return b.CreateShuffleVector(mask[part], order);
}

/// Under a mask, granules are accessed under the mask of their lanes.
bool Emitter::mayAccessGroup(const AccessGroup &group, unsigned part) const {
  // The first lane of a segment, from which its address is, must be on.
  return isAllOn(part) ||
         (!group.segment && group.size >= 4 && abilities.maskedMemory);
}

/// Where an element of the part's is, counted in the order of memory; `access`
/// is any of the group.
Value *Emitter::elementAddress(const AccessGroup &group,
                               const Instruction &access, unsigned element,
                               unsigned part) {
  const Value *pointer = getLoadStorePointerOperand(&access);
  int64_t mine = group.elementOf(&access);
  if (!group.segment)
    return offsetBy(base(pointer, part), shapes.of(pointer).offset(0) +
                                             (element - mine) * group.size);
  int64_t within = element % group.elements();
  return offsetBy(lanePointer(pointer, part, element / group.elements()),
                  (within - mine) * group.size);
}

/// Alignment of the wide accesses: of one element, unless less is promised.
static Align wideAlign(Align access, const AccessGroup &group) {
  return std::min(access, Align(group.size));
}

Value *Emitter::loadFromGroup(const AccessGroup &group, LoadInst &load,
                              unsigned part) {
  unsigned mine = group.elementOf(&load);
  PartValues &streams = loadedGroups[{&group, part}];
  if (!streams.empty())
    return streams[mine];
  Transposition transposition = transpositionOf(group);
  unsigned count = transposition.granuleSize();
  auto *type = FixedVectorType::get(held(load.getType()), count);
  Align align = wideAlign(load.getAlign(), group);
  PartValues vectors;
  for (unsigned i = 0; i < group.elements(); ++i) {
    PartValues granules;
    for (unsigned s = 0; s < transposition.granules(); ++s) {
      unsigned first = transposition.firstElement(i, s);
      Value *address = elementAddress(group, load, first, part);
      granules.push_back(
          isAllOn(part)
              ? static_cast<Value *>(b.CreateAlignedLoad(type, address, align))
              : b.CreateMaskedLoad(type, address, align,
                                   granuleMask(group, first, count, part)));
    }
    vectors.push_back(concatenateVectors(b, granules));
  }
  streams = transposition.toStreams(vectors);
  return streams[mine];
}

void Emitter::storeGroup(const AccessGroup &group, StoreInst &store,
                         unsigned part) {
  PartValues streams(group.elements());
  for (const AccessGroup::Member &member : group.members)
    streams[group.elementOf(member.access)] =
        vector(cast<StoreInst>(member.access)->getValueOperand(), part);
  Transposition transposition = transpositionOf(group);
  unsigned count = transposition.granuleSize();
  Align align = wideAlign(store.getAlign(), group);
  PartValues vectors = transposition.fromStreams(streams);
  for (unsigned i = 0; i < vectors.size(); ++i)
    for (unsigned s = 0; s < transposition.granules(); ++s) {
      unsigned first = transposition.firstElement(i, s);
      Value *address = elementAddress(group, store, first, part);
      Value *granule = slice(b, vectors[i], s * count, count);
      if (isAllOn(part))
        b.CreateAlignedStore(granule, address, align);
      else
        b.CreateMaskedStore(granule, address, align,
                            granuleMask(group, first, count, part));
    }
}

} // namespace bessemer::codegen::cpu
