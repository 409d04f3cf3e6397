//===- AccessGroups.cpp - Neighbouring strided accesses -------------------===//

#include "codegen/cpu/4_shapes/AccessGroups.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"

#include <map>

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// An address without its constant part: pointer and (index, step) pairs.
struct Address {
  std::vector<std::pair<const Value *, int64_t>> terms;
  int64_t offset = 0;
};

} // namespace

/// Splits constants off an index, also through zext of a disjoint or.
static const Value *splitIndex(const Value *index, int64_t step,
                               int64_t &offset) {
  if (auto *extended = dyn_cast<ZExtInst>(index))
    index = extended->getOperand(0);
  for (;;) {
    if (auto *constant = dyn_cast<ConstantInt>(index)) {
      offset += constant->getSExtValue() * step;
      return nullptr;
    }
    auto *both = dyn_cast<PossiblyDisjointInst>(index);
    auto *constant =
        both ? dyn_cast<ConstantInt>(both->getOperand(1)) : nullptr;
    if (!constant || !both->isDisjoint())
      return index;
    offset += constant->getZExtValue() * step;
    index = both->getOperand(0);
  }
}

static Address decompose(const Value *pointer, const DataLayout &layout) {
  Address address;
  while (auto *gep = dyn_cast<GetElementPtrInst>(pointer)) {
    for (auto index = gep_type_begin(gep), end = gep_type_end(gep);
         index != end; ++index) {
      if (auto *type = index.getStructTypeOrNull()) {
        unsigned field = cast<ConstantInt>(index.getOperand())->getZExtValue();
        address.offset += layout.getStructLayout(type)->getElementOffset(field);
        continue;
      }
      int64_t step = index.getSequentialElementStride(layout).getFixedValue();
      if (const Value *rest =
              splitIndex(index.getOperand(), step, address.offset))
        address.terms.push_back({rest, step});
    }
    pointer = gep->getPointerOperand();
  }
  address.terms.push_back({pointer, 0});
  return address;
}

/// Bytes between lanes (of one segment) if the same everywhere, else 0.
static int64_t laneStride(const Shape &shape, unsigned lanes) {
  unsigned segment = shape.segmentLanes(lanes);
  if (segment < 2)
    return 0;
  auto offsets = shape.withinSegments(segment, lanes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (offsets[lane] != offsets[1] * int64_t(lane % segment))
      return 0;
  return offsets[1];
}

/// The groups within accesses to one address plus different constants: each
/// covers the stride without gap and, if `once`, repetition.
static std::vector<AccessGroup> completeGroups(const AccessGroup &all,
                                               bool once) {
  std::map<int64_t, unsigned> offsets; ///< How many accesses have it.
  for (const AccessGroup::Member &member : all.members)
    if (++offsets[member.offset] > 1 && once)
      return {};
  std::vector<AccessGroup> groups;
  for (auto entry = offsets.begin(); entry != offsets.end();) {
    AccessGroup group = all;
    group.first = entry->first;
    int64_t next = group.first, end = group.first + group.stride;
    for (; entry != offsets.end() && entry->first < end; ++entry)
      next = entry->first == next ? next + group.size : end + 1;
    if (next > end && once) // overlaps
      return {};
    erase_if(group.members, [&](const AccessGroup::Member &member) {
      return member.offset < group.first || member.offset >= end;
    });
    if (next == end)
      groups.push_back(std::move(group));
  }
  return groups;
}

unsigned AccessGroup::elementOf(const Instruction *access) const {
  for (const Member &member : members)
    if (member.access == access)
      return (member.offset - first) / size;
  llvm_unreachable("not a member");
}

AccessGroups::AccessGroups(Function &region, const RegionOptions &options,
                           const ShapeAnalysis &shapes)
    : options(options), shapes(shapes) {
  for (BasicBlock *block : shapes.blocks()) {
    scan(*block, /*stores=*/false);
    scan(*block, /*stores=*/true);
  }
}

const AccessGroup *AccessGroups::of(const Instruction *access) const {
  auto found = membership.find(access);
  return found == membership.end() ? nullptr : &groups[found->second];
}

void AccessGroups::scan(BasicBlock &block, bool stores) {
  const DataLayout &layout = block.getDataLayout();
  using Key = std::tuple<std::vector<std::pair<const Value *, int64_t>>, Type *,
                         int64_t>;
  // Only looked up by key; the order of pointers decides nothing.
  std::map<Key, unsigned> open;
  std::vector<AccessGroup> found;
  auto close = [&] {
    for (const AccessGroup &all : found)
      for (AccessGroup &group : completeGroups(all, stores)) {
        for (const auto &member : group.members)
          membership[member.access] = groups.size();
        groups.push_back(std::move(group));
      }
    found.clear();
    open.clear();
  };
  for (Instruction &instruction : block) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (!stores && instruction.mayWriteToMemory())
      close();
    if (stores && !store) {
      if (instruction.mayReadOrWriteMemory())
        close();
      continue;
    }
    if (!stores && !load)
      continue;
    Type *type = stores ? store->getValueOperand()->getType() : load->getType();
    Value *pointer = getLoadStorePointerOperand(&instruction);
    Shape shape = shapes.of(pointer);
    int64_t stride = laneStride(shape, options.partLanes);
    unsigned size = layout.getTypeStoreSize(type);
    bool simple = stores ? store->isSimple() : load->isSimple();
    int64_t count = size ? stride / size : 0;
    bool fits = simple && !type->isPointerTy() && !type->isIntegerTy(1) &&
                stride == count * size &&
                (count == 2 || count == 4 || count == 8 ||
                 (count == 1 && shape.isVarying()));
    if (!fits) {
      if (stores)
        close();
      continue;
    }
    Address address = decompose(pointer, layout);
    Key key{address.terms, type, stride};
    // Stores of one group move to its last member; another in between might
    // be to the same place.
    if (stores && !open.empty() && !open.contains(key))
      close();
    auto [entry, added] = open.try_emplace(key, found.size());
    if (added)
      found.emplace_back();
    AccessGroup &group = found[entry->second];
    group.stride = stride;
    group.size = size;
    group.segment = shape.segment;
    group.members.push_back({&instruction, address.offset});
  }
  close();
}

} // namespace bessemer::codegen::cpu
