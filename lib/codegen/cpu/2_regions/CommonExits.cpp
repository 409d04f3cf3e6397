//===- CommonExits.cpp - Loops that all threads leave together ------------===//
//
// With x a multiple of 2^m, t below 2^m and the bound a multiple of 2^m as
// well, x + t < bound is x < bound, signed or not, whatever wraps around: x and
// t share no bits, and the bits of t decide nothing.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/2_regions/CommonExits.h"

#include "codegen/common/SpmdTTI.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// What is compared: first + step * iteration + something below 2^free.
struct Counter {
  APInt first, step;
  unsigned free = 0;
};

std::optional<Counter> counterOf(Value *value, Loop &loop,
                                 ScalarEvolution &evolution) {
  auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(value));
  if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine())
    return std::nullopt;
  auto *step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution));
  if (!step)
    return std::nullopt;
  const SCEV *start = recurrence->getStart();
  APInt first = APInt::getZero(evolution.getTypeSizeInBits(value->getType()));
  if (auto *sum = dyn_cast<SCEVAddExpr>(start))
    if (auto *constant = dyn_cast<SCEVConstant>(sum->getOperand(0))) {
      first = constant->getAPInt();
      start = evolution.getMinusSCEV(start, constant);
    }
  unsigned free = evolution.getUnsignedRangeMax(start).getActiveBits();
  if (free == first.getBitWidth()) // the sign is free as well
    return std::nullopt;
  return Counter{first, step->getAPInt(), free};
}

/// The bound of `value < bound` or its inverse; `<=` is `<` of the next number.
std::optional<APInt> boundOf(const ICmpInst &compare) {
  auto *constant = dyn_cast<ConstantInt>(compare.getOperand(1));
  if (!constant || !compare.isRelational())
    return std::nullopt;
  const APInt &value = constant->getValue();
  CmpInst::Predicate predicate = compare.getPredicate();
  if (ICmpInst::isLT(predicate) || ICmpInst::isGE(predicate))
    return value;
  bool last =
      compare.isSigned() ? value.isMaxSignedValue() : value.isMaxValue();
  return last ? std::nullopt : std::optional(value + 1);
}

void simplifyExit(BasicBlock &block, Loop &loop, ScalarEvolution &evolution,
                  UniformityInfo &uniformity) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  auto *compare = branch && branch->isConditional()
                      ? dyn_cast<ICmpInst>(branch->getCondition())
                      : nullptr;
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy() ||
      !uniformity.isDivergent(compare))
    return;
  std::optional<APInt> bound = boundOf(*compare);
  std::optional<Counter> counter =
      counterOf(compare->getOperand(0), loop, evolution);
  if (!bound || !counter || bound->countr_zero() < counter->free ||
      counter->first.countr_zero() < counter->free ||
      counter->step.countr_zero() < counter->free)
    return;
  Type *type = compare->getOperand(0)->getType();
  auto *common = PHINode::Create(type, 2, "common");
  common->insertBefore(loop.getHeader()->begin());
  auto *next = BinaryOperator::CreateAdd(
      common, ConstantInt::get(type, counter->step), "common.next",
      loop.getLoopLatch()->getTerminator()->getIterator());
  common->addIncoming(ConstantInt::get(type, counter->first),
                      loop.getLoopPreheader());
  common->addIncoming(next, loop.getLoopLatch());
  branch->setCondition(new ICmpInst(branch->getIterator(),
                                    compare->getPredicate(), common,
                                    compare->getOperand(1), "all.exit"));
  if (compare->use_empty())
    compare->eraseFromParent();
}

} // namespace

void findCommonExits(Function &kernel) {
  SpmdAnalyses analyses(/*oneSimdgroup=*/false);
  LoopSimplifyPass().run(kernel, analyses.functions);
  auto &loops = analyses.functions.getResult<LoopAnalysis>(kernel);
  auto &evolution =
      analyses.functions.getResult<ScalarEvolutionAnalysis>(kernel);
  auto &uniformity =
      analyses.functions.getResult<UniformityInfoAnalysis>(kernel);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isLoopSimplifyForm())
      continue;
    SmallVector<BasicBlock *> exiting;
    loop->getExitingBlocks(exiting);
    for (BasicBlock *block : exiting)
      simplifyExit(*block, *loop, evolution, uniformity);
  }
}

} // namespace bessemer::codegen::cpu
