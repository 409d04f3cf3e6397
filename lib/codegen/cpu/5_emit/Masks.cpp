//===- Masks.cpp - Which lanes are on -------------------------------------===//

#include "codegen/cpu/5_emit/Emitter.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

/// The lanes that stand for a thread of a group that is not complete.
PartValues Emitter::entryLanes() {
  auto actual = [this](unsigned dimension) {
    return body->getArg(body->arg_size() - RegionParameters::Count +
                        RegionParameters::ActualX + dimension);
  };
  Value *count = nullptr;
  if (entryMask == EntryMask::Index)
    count = b.CreateMul(b.CreateMul(actual(0), actual(1)), actual(2));
  PartValues result;
  for (unsigned part = 0; part < parts; ++part) {
    if (count) {
      Value *index =
          b.CreateAdd(splat(b.CreateAdd(firstThread(), int32(part * lanes))),
                      laneNumbers());
      result.push_back(b.CreateICmpULT(index, splat(count)));
      continue;
    }
    Value *on = nullptr;
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      if (dimension && options.group[dimension] == 1)
        continue;
      Value *inside = b.CreateICmpULT(positionVector(dimension, part),
                                      splat(actual(dimension)));
      on = on ? b.CreateAnd(on, inside) : inside;
    }
    result.push_back(on);
  }
  return result;
}

Value *Emitter::maskOf(unsigned part) {
  return mask.empty() ? Constant::getAllOnesValue(vectorOf(b.getInt1Ty()))
                      : mask[part];
}

/// Known to be on at compile time: the first half of a tree reduction is.
bool Emitter::isAllOn(unsigned part) const {
  auto *constant = mask.empty() ? nullptr : dyn_cast<Constant>(mask[part]);
  return mask.empty() || (constant && constant->isAllOnesValue());
}

bool Emitter::isAllOff(unsigned part) const {
  auto *constant = mask.empty() ? nullptr : dyn_cast<Constant>(mask[part]);
  return constant && constant->isNullValue();
}

Value *Emitter::laneBits(Value *mask) {
  return b.CreateBitCast(mask, b.getIntNTy(lanes));
}

Value *Emitter::anyOf(Scalars masks) {
  Value *all = masks[0];
  for (Value *mask : masks.drop_front())
    all = b.CreateOr(all, mask);
  return b.CreateICmpNE(laneBits(all),
                        Constant::getNullValue(b.getIntNTy(lanes)));
}

Value *Emitter::allOf(Scalars masks) {
  Value *all = masks[0];
  for (Value *mask : masks.drop_front())
    all = b.CreateAnd(all, mask);
  return b.CreateICmpEQ(laneBits(all),
                        Constant::getAllOnesValue(b.getIntNTy(lanes)));
}

/// Not an `and`: the condition may be poison in inactive lanes.
Value *Emitter::restrict(Value *mask, Value *condition) {
  return b.CreateSelect(mask, condition,
                        Constant::getNullValue(condition->getType()));
}

PartValues Emitter::restrict(const PartValues &mask,
                             const PartValues &conditions) {
  if (mask.empty())
    return conditions;
  PartValues result;
  for (unsigned part = 0; part < parts; ++part)
    result.push_back(restrict(mask[part], conditions[part]));
  return result;
}

PartValues Emitter::conditionOf(const Value *condition, bool inverted) {
  PartValues result;
  for (unsigned part = 0; part < parts; ++part) {
    Value *on = vector(condition, part);
    result.push_back(inverted ? b.CreateNot(on) : on);
  }
  return result;
}

/// `linear < uniform` holds in all lanes if it does at the last one and there
/// is no wrap in between; null for other conditions.
Value *Emitter::endPointTest(const Value *condition, bool inverted) {
  for (;;) { // through `not`
    auto *operation = dyn_cast<BinaryOperator>(condition);
    auto *one =
        operation ? dyn_cast<ConstantInt>(operation->getOperand(1)) : nullptr;
    if (!one || operation->getOpcode() != Instruction::Xor || !one->isOne() ||
        !one->getType()->isIntegerTy(1))
      break;
    condition = operation->getOperand(0);
    inverted = !inverted;
  }
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
    return nullptr;
  const Value *left = compare->getOperand(0), *right = compare->getOperand(1);
  auto predicate =
      inverted ? compare->getInversePredicate() : compare->getPredicate();
  if (shapes.of(right).kind == Shape::ChunkLinear) {
    std::swap(left, right);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  Shape shape = shapes.of(left);
  if (shape.kind != Shape::ChunkLinear || shape.stride <= 0 ||
      !shapes.of(right).isUniform() || !ICmpInst::isRelational(predicate))
    return nullptr;
  Value *first = base(left, 0);
  Value *last = offsetBy(
      first, shape.stride * static_cast<int64_t>(options.lanesInFlight - 1));
  bool isSigned = CmpInst::isSigned(predicate);
  Value *ordered = b.CreateICmp(
      isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, first, last);
  bool less = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  return b.CreateAnd(
      ordered, b.CreateICmp(predicate, less ? last : first, uniform(right)));
}

Value *Emitter::allTrue(const Value *condition, bool inverted,
                        Scalars conditions) {
  if (Value *test = endPointTest(condition, inverted))
    return test;
  return allOf(conditions);
}

} // namespace bessemer::codegen::cpu
