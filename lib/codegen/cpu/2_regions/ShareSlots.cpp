//===- ShareSlots.cpp - Values that take turns in one slot ----------------===//

#include "codegen/cpu/2_regions/ShareSlots.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

class Sharing {
public:
  explicit Sharing(ArrayRef<LiveValue> values);
  std::vector<unsigned> run();

private:
  void followPhis(unsigned number);
  bool mayShare(unsigned a, unsigned b) const;
  void share(unsigned a, unsigned b);

  ArrayRef<LiveValue> values;
  DenseMap<const Value *, unsigned> numbers; ///< Of those that have a slot.
  std::vector<unsigned> slot;
};

Sharing::Sharing(ArrayRef<LiveValue> values) : values(values) {
  for (auto [number, live] : enumerate(values)) {
    slot.push_back(number);
    if (!live.rematerialise)
      numbers[live.value] = number;
  }
}

/// Values that cross the same barrier are needed at the same time.
bool Sharing::mayShare(unsigned a, unsigned b) const {
  if (values[a].uniform != values[b].uniform ||
      values[a].value->getType() != values[b].value->getType())
    return false;
  for (unsigned i = 0; i < values.size(); ++i)
    for (unsigned j = 0; j < values.size(); ++j)
      if (slot[i] == slot[a] && slot[j] == slot[b] &&
          any_of(values[i].barriers, [&](unsigned barrier) {
            return is_contained(values[j].barriers, barrier);
          }))
        return false;
  return true;
}

void Sharing::share(unsigned a, unsigned b) {
  if (slot[a] == slot[b] || !mayShare(a, b))
    return;
  auto [first, second] = std::minmax(slot[a], slot[b]);
  for (unsigned &place : slot)
    if (place == second)
      place = first;
}

/// What a value is made of by phis alone (and the copies made of them).
void Sharing::followPhis(unsigned number) {
  SmallVector<const Value *> worklist{values[number].value};
  SmallPtrSet<const Value *, 8> seen;
  while (!worklist.empty()) {
    const Value *value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    auto found = numbers.find(value);
    if (found != numbers.end() && found->second != number) {
      share(number, found->second);
      continue;
    }
    if (auto *copy = dyn_cast<BitCastInst>(value))
      worklist.push_back(copy->getOperand(0));
    else if (auto *phi = dyn_cast<PHINode>(value))
      append_range(worklist, phi->incoming_values());
  }
}

std::vector<unsigned> Sharing::run() {
  for (unsigned number = 0; number < values.size(); ++number)
    if (!values[number].rematerialise)
      followPhis(number);
  return slot;
}

} // namespace

std::vector<unsigned> shareSlots(ArrayRef<LiveValue> values) {
  return Sharing(values).run();
}

} // namespace bessemer::codegen::cpu
