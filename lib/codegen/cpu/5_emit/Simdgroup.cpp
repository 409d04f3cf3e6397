//===- Simdgroup.cpp - Operations across the 32 lanes of a simdgroup ------===//
//
// A simdgroup is 32 / PW parts. Results do not depend on PW: a reduction adds
// lane l and l ^ 16 first, then ^ 8, ^ 4, ^ 2, ^ 1, and a scan goes by
// distances 1, 2, 4, 8, 16.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/5_emit/Emitter.h"
#include "codegen/cpu/5_emit/MinMax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// What a reduction or scan combines with, from its name in Intrinsics.def:
/// bsm.simd_<operation>.<type>, bsm.simd_prefix_<kind>_<operation>.<type>.
struct Combination {
  StringRef operation;
  bool isFloat, isSigned;

  explicit Combination(Intrinsic id) {
    auto [name, type] = intrinsicInfo(id).name.rsplit('.');
    operation = name.rsplit('_').second;
    isFloat = type.starts_with("f");
    isSigned = type.starts_with("i");
  }

  Value *combine(IRBuilderBase &b, Value *x, Value *y) const {
    using namespace llvm::Intrinsic;
    if (operation == "sum")
      return isFloat ? b.CreateFAdd(x, y) : b.CreateAdd(x, y);
    if (operation == "product")
      return isFloat ? b.CreateFMul(x, y) : b.CreateMul(x, y);
    if (operation == "and")
      return b.CreateAnd(x, y);
    if (operation == "or")
      return b.CreateOr(x, y);
    if (operation == "xor")
      return b.CreateXor(x, y);
    bool maximum = operation == "max";
    if (isFloat)
      return emitMinMax(b, maximum, x, y);
    ID id = maximum ? (isSigned ? smax : umax) : (isSigned ? smin : umin);
    return b.CreateBinaryIntrinsic(id, x, y);
  }

  /// What an inactive lane holds.
  Constant *identity(Type *type) const {
    unsigned bits = type->getScalarSizeInBits();
    if (operation == "sum")
      return isFloat ? ConstantFP::get(type, -0.0)
                     : Constant::getNullValue(type);
    if (operation == "product")
      return isFloat ? ConstantFP::get(type, 1.0) : ConstantInt::get(type, 1);
    if (operation == "and")
      return Constant::getAllOnesValue(type);
    if (operation == "or" || operation == "xor")
      return Constant::getNullValue(type);
    bool maximum = operation == "max";
    if (isFloat) // NaN: minimum and maximum of numbers drop it
      return ConstantFP::getNaN(type);
    if (isSigned)
      return ConstantInt::get(type, maximum ? APInt::getSignedMinValue(bits)
                                            : APInt::getSignedMaxValue(bits));
    return maximum ? Constant::getNullValue(type)
                   : Constant::getAllOnesValue(type);
  }
};

} // namespace

bool Emitter::emitSimdgroup(CallInst &call, Intrinsic id, PartValues &result,
                            unsigned from, unsigned to) {
  const IntrinsicInfo &info = intrinsicInfo(id);
  bool once = shapes.of(&call).isUniform(); // then a chunk is one simdgroup
  auto perSimdgroup = [&](auto &&emit) {
    Value *value = emit();
    for (unsigned part = from; part < (once ? 1 : to); ++part)
      result[part] = value;
    return true;
  };
  if (info.family == IntrinsicFamily::Reduction)
    return perSimdgroup([&] { return reduce(call, id, from); });
  if (id == Intrinsic::Ballot)
    return perSimdgroup([&] { return ballot(call, from); });
  if (info.family == IntrinsicFamily::Scan) {
    scan(call, id, result, from);
    return true;
  }
  if (id != Intrinsic::Shuffle)
    return false;
  if (!shapes.of(&call).isVarying())
    for (unsigned part = from; part < (once ? 1 : to); ++part)
      result[part] = shuffleUniform(call, part);
  else
    for (unsigned part = from; part < to; ++part)
      result[part] = shuffle(call, part);
  return true;
}

Value *Emitter::reduce(CallInst &call, Intrinsic id, unsigned first) {
  Combination combination(id);
  SmallVector<Value *, 8> level;
  for (unsigned part = first; part < first + partsOfSimdgroup(); ++part) {
    Value *value = vector(call.getArgOperand(0), part);
    if (!mask.empty())
      value = b.CreateSelect(mask[part], value,
                             combination.identity(value->getType()));
    level.push_back(value);
  }
  for (; level.size() > 1; level.truncate(level.size() / 2))
    for (unsigned i = 0; i < level.size() / 2; ++i)
      level[i] = combination.combine(b, level[i], level[i + level.size() / 2]);
  Value *all = level[0];
  for (unsigned half = lanes / 2; half; half /= 2) {
    SmallVector<int, 16> low, high;
    for (unsigned lane = 0; lane < half; ++lane) {
      low.push_back(lane);
      high.push_back(lane + half);
    }
    all = combination.combine(b, b.CreateShuffleVector(all, low),
                              b.CreateShuffleVector(all, high));
  }
  return b.CreateExtractElement(all, uint64_t(0));
}

/// The vectors of a simdgroup moved up by `distance` lanes; `fill` moves in.
static SmallVector<Value *, 8> moveUp(IRBuilderBase &b,
                                      const SmallVector<Value *, 8> &vectors,
                                      unsigned distance, Value *fill,
                                      unsigned lanes) {
  int whole = distance / lanes;
  unsigned rest = distance % lanes;
  auto at = [&](int index) { return index < 0 ? fill : vectors[index]; };
  SmallVector<int, 16> order;
  for (unsigned lane = 0; lane < lanes; ++lane)
    order.push_back(lanes - rest + lane);
  SmallVector<Value *, 8> moved;
  for (int i = 0; i < static_cast<int>(vectors.size()); ++i)
    moved.push_back(
        rest ? b.CreateShuffleVector(at(i - whole - 1), at(i - whole), order)
             : at(i - whole));
  return moved;
}

void Emitter::scan(CallInst &call, Intrinsic id, PartValues &result,
                   unsigned first) {
  Combination combination(id);
  Constant *identity = combination.identity(vectorOf(call.getType()));
  SmallVector<Value *, 8> sums;
  for (unsigned part = first; part < first + partsOfSimdgroup(); ++part) {
    Value *value = vector(call.getArgOperand(0), part);
    if (!mask.empty())
      value = b.CreateSelect(mask[part], value, identity);
    sums.push_back(value);
  }
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    SmallVector<Value *, 8> moved = moveUp(b, sums, distance, identity, lanes);
    for (unsigned i = 0; i < sums.size(); ++i)
      sums[i] = combination.combine(b, moved[i], sums[i]);
  }
  if (intrinsicInfo(id).name.contains("exclusive")) {
    // The first lane gets plain zero, not the identity of addition, -0.
    Constant *start = combination.isFloat && combination.operation == "sum"
                          ? ConstantFP::get(identity->getType(), 0.0)
                          : identity;
    sums = moveUp(b, sums, 1, start, lanes);
  }
  for (unsigned i = 0; i < sums.size(); ++i)
    result[first + i] = sums[i];
}

Value *Emitter::ballot(CallInst &call, unsigned first) {
  Value *bits = nullptr;
  for (unsigned i = 0; i < partsOfSimdgroup(); ++i) {
    Value *on = vector(call.getArgOperand(0), first + i);
    if (!mask.empty())
      on = restrict(mask[first + i], on);
    Value *some = b.CreateShl(b.CreateZExt(laneBits(on), b.getInt32Ty()),
                              int32(i * lanes));
    bits = bits ? b.CreateOr(bits, some) : some;
  }
  return bits;
}

/// All lanes of the part read the same lane.
Value *Emitter::shuffleUniform(CallInst &call, unsigned part) {
  Value *data = call.getArgOperand(0);
  unsigned count = partsOfSimdgroup(), first = part / count * count;
  if (shapes.of(data).isUniform())
    return uniform(data);
  Value *lane = b.CreateAnd(base(call.getArgOperand(1), part), int32(31));
  Value *within = b.CreateAnd(lane, int32(lanes - 1));
  Value *which = b.CreateLShr(lane, int32(Log2_32(lanes)));
  Value *result = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    Value *element = b.CreateExtractElement(vector(data, first + i), within);
    result = result ? b.CreateSelect(b.CreateICmpEQ(which, int32(i)), element,
                                     result)
                    : element;
  }
  return result;
}

/// Source lanes of a part if they are constants, else empty.
static SmallVector<int, 16> constantLanes(Value *vector, unsigned lanes) {
  SmallVector<int, 16> result;
  auto *constant = dyn_cast<Constant>(vector);
  for (unsigned lane = 0; constant && lane < lanes; ++lane) {
    Constant *element = constant->getAggregateElement(lane);
    if (!element)
      return {};
    if (auto *number = dyn_cast<ConstantInt>(element))
      result.push_back(number->getZExtValue() & 31);
    else if (isa<UndefValue>(element))
      result.push_back(0);
    else
      return {};
  }
  return result;
}

Value *Emitter::shuffle(CallInst &call, unsigned part) {
  Value *data = call.getArgOperand(0);
  unsigned count = partsOfSimdgroup(), first = part / count * count;
  if (shapes.of(data).isUniform())
    return vector(data, part);
  Value *from = vector(call.getArgOperand(1), part);
  if (auto table = constantLanes(from, lanes); !table.empty())
    return shuffleByTable(call, table, part);
  // Through memory: any lane of 32.
  Type *word = b.getInt32Ty();
  AllocaInst *memory = scratch(ArrayType::get(word, 32), Align(64), "shuffle");
  for (unsigned i = 0; i < count; ++i)
    b.CreateAlignedStore(vector(data, first + i),
                         b.CreateGEP(word, memory, int32(i * lanes)),
                         Align(lanes * 4));
  // Masked to 0..31, so that inactive lanes read inside as well.
  Value *index = b.CreateAnd(b.CreateFreeze(from), splat(int32(31)));
  Value *pointers = b.CreateGEP(word, memory, index);
  Value *all = Constant::getAllOnesValue(vectorOf(b.getInt1Ty()));
  if (abilities.gather)
    return b.CreateMaskedGather(vectorOf(word), pointers, Align(4), all);
  Value *result = PoisonValue::get(vectorOf(word));
  for (uint64_t lane = 0; lane < lanes; ++lane)
    result = b.CreateInsertElement(
        result,
        b.CreateLoad(word, b.CreateGEP(word, memory,
                                       b.CreateExtractElement(index, lane))),
        lane);
  return result;
}

/// The element, or pair of elements of 32 bits, that `order` repeats.
std::optional<Emitter::RepeatedElements>
Emitter::repeated(ArrayRef<int> order) {
  for (unsigned count : {1u, 2u}) {
    bool same = order[0] % count == 0;
    for (auto [lane, from] : enumerate(order))
      same &= from == order[0] + static_cast<int>(lane % count);
    if (same)
      return RepeatedElements{static_cast<unsigned>(order[0]), count};
  }
  return std::nullopt;
}

/// Broadcasts of many elements of one vector go through memory: loads that
/// broadcast need no shuffle, and across 16 bytes that is what is scarce.
Value *Emitter::broadcast(Value *source, const RepeatedElements &elements) {
  Value *&known = broadcasts[{source, elements.first, elements.count}];
  if (known)
    return known;
  AllocaInst *&copy = broadcastSources[source];
  if (!copy) {
    if (broadcastSources.size() > broadcastMemory.size())
      broadcastMemory.push_back(
          scratch(source->getType(), Align(lanes * 4), "broadcast"));
    copy = broadcastMemory[broadcastSources.size() - 1];
    b.CreateAlignedStore(source, copy, copy->getAlign());
  }
  Type *type = b.getIntNTy(elements.count * 32);
  Value *element = b.CreateAlignedLoad(type, offsetBy(copy, elements.first * 4),
                                       Align(elements.count * 4));
  return known = b.CreateBitCast(
             b.CreateVectorSplat(lanes / elements.count, element),
             source->getType());
}

/// Whether enough is taken from a value by shuffles for it to go to memory.
bool Emitter::isBroadcastOften(const Value &data) const {
  const unsigned often = 4, granule = 16;
  return lanes * 4 > granule &&
         count_if(data.users(), [](const User *user) {
           return intrinsicOf(user) == Intrinsic::Shuffle;
         }) >= often;
}

/// Lanes known at compile time: shuffles of the parts that are asked for.
Value *Emitter::shuffleByTable(CallInst &call, ArrayRef<int> table,
                               unsigned part) {
  Value *data = call.getArgOperand(0);
  unsigned count = partsOfSimdgroup(), first = part / count * count;
  Value *result = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<int, 16> order;
    bool used = false;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      bool here = table[lane] / static_cast<int>(lanes) == static_cast<int>(i);
      used |= here;
      order.push_back(here ? table[lane] % static_cast<int>(lanes)
                           : static_cast<int>(lanes + lane));
    }
    if (!used)
      continue;
    Value *source = vector(data, first + i);
    if (auto elements = repeated(order); elements && isBroadcastOften(*data))
      return broadcast(source, *elements);
    // Lanes found so far come from the second operand.
    result = b.CreateShuffleVector(
        source, result ? result : PoisonValue::get(source->getType()), order);
  }
  return result;
}

} // namespace bessemer::codegen::cpu
