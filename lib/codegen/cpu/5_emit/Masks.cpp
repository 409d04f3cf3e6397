//===- Masks.cpp - Which lanes are on -------------------------------------===//

#include "codegen/cpu/5_emit/Emitter.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

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

/// The conditions that must hold, all of them, for `condition` (or its inverse)
/// to hold.
void Emitter::splitCondition(const Value *condition, bool inverted,
                             SmallVectorImpl<Conjunct> &result) {
  const Value *a, *b, *c;
  auto both = [&](bool first, bool second) {
    splitCondition(a, first, result);
    splitCondition(b, second, result);
  };
  if (match(condition, m_Not(m_Value(c))))
    splitCondition(c, !inverted, result);
  else if (!inverted && match(condition, m_LogicalAnd(m_Value(a), m_Value(b))))
    both(false, false);
  else if (inverted && match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
    both(true, true);
  else if (inverted &&
           match(condition, m_Select(m_Value(a), m_Value(b), m_One())))
    both(false, true);
  else if (!inverted &&
           match(condition, m_Select(m_Value(a), m_Zero(), m_Value(b))))
    both(true, false);
  else
    result.push_back({condition, inverted});
}

/// A condition on which all lanes agree as a scalar, else null.
Value *Emitter::agreedOn(const Conjunct &conjunct) {
  Shape shape = shapes.of(conjunct.condition);
  if (!shape.isSingle() || !shape.isPartUniform())
    return nullptr;
  Value *on = b.CreateFreeze(base(conjunct.condition, 0));
  return conjunct.inverted ? b.CreateNot(on) : on;
}

/// `linear < uniform` holds in all lanes if it does at the last one and there
/// is no wrap in between; null for other conditions.
Value *Emitter::endPointTest(const Value *condition, bool inverted) {
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
  SmallVector<Conjunct, 4> conjuncts;
  splitCondition(condition, inverted, conjuncts);
  Value *all = nullptr;
  PartValues rest;
  for (const Conjunct &conjunct : conjuncts) {
    Value *test = agreedOn(conjunct);
    if (!test)
      test = endPointTest(conjunct.condition, conjunct.inverted);
    if (test)
      all = all ? b.CreateLogicalAnd(all, test) : test;
    else
      rest.append(conditionOf(conjunct.condition, conjunct.inverted));
  }
  if (!all)
    return allOf(conditions);
  return rest.empty() ? all : b.CreateLogicalAnd(all, allOf(rest));
}

} // namespace bessemer::codegen::cpu
