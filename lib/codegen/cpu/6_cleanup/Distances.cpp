//===- Distances.cpp - Absolute differences of unsigned integers ----------===//

#include "codegen/cpu/6_cleanup/Distances.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace bessemer::codegen::cpu {

namespace {

/// `negated` ? b - a : a - b.
struct Distance {
  Value *a, *b, *negated;
};

std::optional<Distance> match(Instruction &instruction) {
  Value *a, *b, *condition;
  CmpPredicate predicate;
  // The other arm is the same difference the other way round.
  if (PatternMatch::match(&instruction,
                          m_Select(m_Value(condition),
                                   m_Sub(m_Value(b), m_Value(a)),
                                   m_Sub(m_Deferred(a), m_Deferred(b)))) &&
      PatternMatch::match(condition,
                          m_c_ICmp(predicate, m_Specific(a), m_Specific(b))) &&
      CmpInst::isUnsigned(predicate))
    return Distance{a, b, condition};
  bool maximumFirst = PatternMatch::match(
      &instruction, m_Sub(m_UMax(m_Value(a), m_Value(b)),
                          m_c_UMin(m_Deferred(a), m_Deferred(b))));
  if (!maximumFirst &&
      !PatternMatch::match(&instruction,
                           m_Sub(m_UMin(m_Value(a), m_Value(b)),
                                 m_c_UMax(m_Deferred(a), m_Deferred(b)))))
    return std::nullopt;
  IRBuilder<> builder(&instruction);
  return Distance{a, b,
                  maximumFirst ? builder.CreateICmpULT(a, b)
                               : builder.CreateICmpUGT(a, b)};
}

bool hasMinimum(Type *type, const TargetTransformInfo &target) {
  auto kind = TargetTransformInfo::TCK_RecipThroughput;
  IntrinsicCostAttributes minimum(llvm::Intrinsic::umin, type, {type, type});
  return target.getIntrinsicInstrCost(minimum, kind) <=
         target.getArithmeticInstrCost(Instruction::Sub, type, kind);
}

} // namespace

void expandDistances(Function &function, TargetMachine &target) {
  TargetTransformInfo info = target.getTargetTransformInfo(function);
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    Type *type = instruction.getType();
    if (!isa<FixedVectorType>(type) || !type->isIntOrIntVectorTy() ||
        hasMinimum(type, info))
      continue;
    std::optional<Distance> distance = match(instruction);
    if (!distance)
      continue;
    IRBuilder<> b(&instruction);
    Value *mask = b.CreateSExt(distance->negated, type);
    Value *difference = b.CreateSub(distance->a, distance->b);
    instruction.replaceAllUsesWith(
        b.CreateSub(b.CreateXor(difference, mask), mask));
    RecursivelyDeleteTriviallyDeadInstructions(&instruction);
  }
}

} // namespace bessemer::codegen::cpu
