//===- GroupedAccesses.cpp - k strided accesses as k wide ones ------------===//

#include "codegen/cpu/5_emit/Emitter.h"

#include "llvm/Analysis/VectorUtils.h"

#include <numeric>

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// How the k elements of each lane travel between memory and k vectors. What
/// machines shuffle cheaply is a granule of 16 bytes by itself, so a vector is
/// filled with such granules that the rest is done within each of them: the
/// granule s of every vector is about the same lanes.
class Transposition {
public:
  Transposition(IRBuilderBase &b, const AccessGroup &group, unsigned lanes)
      : b(b), lanes(lanes), elements(group.elements()),
        granule(std::min<unsigned>(lanes, std::max(1u, 16 / group.size))),
        run(std::min(elements, granule)) {}

  unsigned granuleSize() const { return granule; }
  unsigned granules() const { return lanes / granule; }

  /// The element (of all lanes' elements in the order of memory) with which
  /// granule `number` of vector `vector` begins.
  unsigned firstElement(unsigned vector, unsigned number) const {
    unsigned which = vector / run, step = vector % run;
    unsigned first = number * granule * elements;
    return elements < granule ? first + step * granule
                              : first + step * elements + which * granule;
  }
  PartValues toStreams(const PartValues &vectors) const {
    return byRuns(vectors,
                  [this](const PartValues &some) { return split(some); });
  }
  PartValues fromStreams(const PartValues &streams) const {
    return byRuns(streams,
                  [this](const PartValues &some) { return join(some); });
  }

private:
  template <typename F>
  PartValues byRuns(const PartValues &values, F function) const {
    PartValues result;
    for (unsigned first = 0; first < elements; first += run)
      result.append(function(
          PartValues(values.begin() + first, values.begin() + first + run)));
    return result;
  }
  PartValues split(const PartValues &vectors) const;
  PartValues join(const PartValues &streams) const;

  IRBuilderBase &b;
  unsigned lanes, elements;
  unsigned granule; ///< Elements of one.
  unsigned run;     ///< Vectors that exchange elements with each other.
};

/// Interleaved streams, a power of two of them, become one vector a stream:
/// even and odd elements, again and again.
PartValues Transposition::split(const PartValues &vectors) const {
  if (vectors.size() == 1)
    return vectors;
  SmallVector<int, 16> even, odd;
  for (unsigned i = 0; i < lanes; ++i) {
    unsigned within = i % granule, half = granule / 2;
    unsigned from = i - within + 2 * (within % half);
    even.push_back(within < half ? from : lanes + from);
    odd.push_back(even.back() + 1);
  }
  PartValues evens, odds;
  for (unsigned i = 0; i < vectors.size(); i += 2) {
    evens.push_back(b.CreateShuffleVector(vectors[i], vectors[i + 1], even));
    odds.push_back(b.CreateShuffleVector(vectors[i], vectors[i + 1], odd));
  }
  evens = split(evens);
  odds = split(odds);
  PartValues streams;
  for (unsigned i = 0; i < evens.size(); ++i)
    streams.append({evens[i], odds[i]});
  return streams;
}

/// The inverse.
PartValues Transposition::join(const PartValues &streams) const {
  if (streams.size() == 1)
    return streams;
  PartValues evens, odds;
  for (unsigned i = 0; i < streams.size(); ++i)
    (i % 2 ? odds : evens).push_back(streams[i]);
  evens = join(evens);
  odds = join(odds);
  SmallVector<int, 16> low, high;
  for (unsigned i = 0; i < lanes; ++i) {
    unsigned within = i % granule;
    unsigned from = i - within + within / 2 + (i % 2) * lanes;
    low.push_back(from);
    high.push_back(from + granule / 2);
  }
  PartValues vectors;
  for (unsigned i = 0; i < evens.size(); ++i) {
    vectors.push_back(b.CreateShuffleVector(evens[i], odds[i], low));
    vectors.push_back(b.CreateShuffleVector(evens[i], odds[i], high));
  }
  return vectors;
}

/// Elements first .. first + count - 1 of a vector.
Value *slice(IRBuilderBase &b, Value *vector, unsigned first, unsigned count) {
  SmallVector<int, 16> order(count);
  std::iota(order.begin(), order.end(), first);
  return b.CreateShuffleVector(vector, order);
}

} // namespace

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
  return isAllOn(part) || (group.size >= 4 && abilities.maskedMemory);
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
  if (!streams.empty())
    return streams[mine];
  Value *pointer = load.getPointerOperand();
  Value *start = offsetBy(base(pointer, part),
                          startOffset(shapes.of(pointer), group, mine));
  Transposition transposition(b, group, lanes);
  unsigned count = transposition.granuleSize();
  auto *type = FixedVectorType::get(held(load.getType()), count);
  Align align = wideAlign(load.getAlign(), group);
  PartValues vectors;
  for (unsigned i = 0; i < group.elements(); ++i) {
    PartValues granules;
    for (unsigned s = 0; s < transposition.granules(); ++s) {
      unsigned first = transposition.firstElement(i, s);
      Value *address = offsetBy(start, int64_t(first) * group.size);
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
  unsigned mine = group.elementOf(&store);
  Value *pointer = store.getPointerOperand();
  Value *start = offsetBy(base(pointer, part),
                          startOffset(shapes.of(pointer), group, mine));
  Transposition transposition(b, group, lanes);
  unsigned count = transposition.granuleSize();
  Align align = wideAlign(store.getAlign(), group);
  PartValues vectors = transposition.fromStreams(streams);
  for (unsigned i = 0; i < vectors.size(); ++i)
    for (unsigned s = 0; s < transposition.granules(); ++s) {
      unsigned first = transposition.firstElement(i, s);
      Value *address = offsetBy(start, int64_t(first) * group.size);
      Value *granule = slice(b, vectors[i], s * count, count);
      if (isAllOn(part))
        b.CreateAlignedStore(granule, address, align);
      else
        b.CreateMaskedStore(granule, address, align,
                            granuleMask(group, first, count, part));
    }
}

} // namespace bessemer::codegen::cpu
