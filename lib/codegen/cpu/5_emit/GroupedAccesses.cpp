//===- GroupedAccesses.cpp - k strided accesses as k wide ones ------------===//

#include "codegen/cpu/5_emit/Emitter.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

/// Vectors that together hold k interleaved streams, k a power of two, become
/// one vector a stream: even and odd elements, again and again.
static PartValues splitStreams(IRBuilderBase &b, const PartValues &vectors,
                               unsigned lanes) {
  if (vectors.size() == 1)
    return vectors;
  SmallVector<int, 16> even, odd;
  for (unsigned i = 0; i < lanes; ++i) {
    even.push_back(2 * i);
    odd.push_back(2 * i + 1);
  }
  PartValues evens, odds;
  for (unsigned i = 0; i < vectors.size(); i += 2) {
    evens.push_back(b.CreateShuffleVector(vectors[i], vectors[i + 1], even));
    odds.push_back(b.CreateShuffleVector(vectors[i], vectors[i + 1], odd));
  }
  evens = splitStreams(b, evens, lanes);
  odds = splitStreams(b, odds, lanes);
  PartValues streams;
  for (unsigned i = 0; i < evens.size(); ++i) {
    streams.push_back(evens[i]);
    streams.push_back(odds[i]);
  }
  return streams;
}

/// The inverse.
static PartValues joinStreams(IRBuilderBase &b, const PartValues &streams,
                              unsigned lanes) {
  if (streams.size() == 1)
    return streams;
  PartValues evens, odds;
  for (unsigned i = 0; i < streams.size(); ++i)
    (i % 2 ? odds : evens).push_back(streams[i]);
  evens = joinStreams(b, evens, lanes);
  odds = joinStreams(b, odds, lanes);
  SmallVector<int, 16> low, high;
  for (unsigned i = 0; i < lanes / 2; ++i) {
    low.append({int(i), int(lanes + i)});
    high.append({int(lanes / 2 + i), int(lanes + lanes / 2 + i)});
  }
  PartValues vectors;
  for (unsigned i = 0; i < evens.size(); ++i) {
    vectors.push_back(b.CreateShuffleVector(evens[i], odds[i], low));
    vectors.push_back(b.CreateShuffleVector(evens[i], odds[i], high));
  }
  return vectors;
}

/// From a part's base to the first element of the group.
static int64_t startOffset(const Shape &address, const AccessGroup &group,
                           unsigned element) {
  return address.offset(0) - static_cast<int64_t>(element * group.size);
}

/// Alignment of the wide accesses: of one element, unless less is promised.
static Align wideAlign(Align access, const AccessGroup &group) {
  return std::min(access, Align(group.size));
}

Value *Emitter::loadFromGroup(const AccessGroup &group, LoadInst &load,
                              unsigned part) {
  unsigned mine = group.elementOf(&load);
  PartValues &streams = loadedGroups[{&group, part}];
  if (streams.empty()) {
    Value *pointer = load.getPointerOperand();
    Value *start = offsetBy(base(pointer, part),
                            startOffset(shapes.of(pointer), group, mine));
    for (unsigned i = 0; i < group.elements(); ++i)
      streams.push_back(b.CreateAlignedLoad(
          vectorOf(load.getType()),
          offsetBy(start, static_cast<int64_t>(i) * lanes * group.size),
          wideAlign(load.getAlign(), group)));
    streams = splitStreams(b, streams, lanes);
  }
  return streams[mine];
}

void Emitter::storeGroup(const AccessGroup &group, StoreInst &store,
                         unsigned part) {
  PartValues streams(group.elements());
  for (const AccessGroup::Member &member : group.members)
    streams[group.elementOf(member.access)] =
        vector(cast<StoreInst>(member.access)->getValueOperand(), part);
  unsigned mine = group.elementOf(&store);
  Value *pointer = store.getPointerOperand();
  Value *start = offsetBy(base(pointer, part),
                          startOffset(shapes.of(pointer), group, mine));
  PartValues vectors = joinStreams(b, streams, lanes);
  for (unsigned i = 0; i < vectors.size(); ++i)
    b.CreateAlignedStore(
        vectors[i],
        offsetBy(start, static_cast<int64_t>(i) * lanes * group.size),
        wideAlign(store.getAlign(), group));
}

} // namespace bessemer::codegen::cpu
