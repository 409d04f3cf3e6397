//===- FlattenBranches.cpp - Short bodies without a branch ----------------===//

#include "codegen/cpu/3_structurise/FlattenBranches.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// Testing the lanes and branching takes about half as many.
constexpr unsigned longestBody = 12;

/// A divergent branch around one block.
struct OneArmed {
  BasicBlock *head, *body, *join;
};

bool isCheap(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::Load:
    return false;
  case Instruction::Call: {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call)
      return false;
    auto id = call->getIntrinsicID();
    return id == llvm::Intrinsic::fabs || id == llvm::Intrinsic::fma ||
           id == llvm::Intrinsic::fmuladd || isa<MinMaxIntrinsic>(call);
  }
  default:
    return isSafeToSpeculativelyExecute(&instruction);
  }
}

bool isShort(const BasicBlock &body) {
  unsigned count = 0;
  for (const Instruction &instruction : body) {
    if (instruction.isTerminator())
      break;
    if (isa<PHINode>(instruction) || !isCheap(instruction) ||
        ++count > longestBody)
      return false;
  }
  return true;
}

/// The body behind `head` if it is one to flatten.
std::optional<OneArmed> match(BasicBlock &head) {
  auto *branch = dyn_cast<BranchInst>(head.getTerminator());
  if (!branch || !branch->isConditional())
    return std::nullopt;
  for (unsigned side = 0; side < 2; ++side) {
    BasicBlock *body = branch->getSuccessor(side),
               *join = branch->getSuccessor(1 - side);
    if (body != join && body != &head && body->getSinglePredecessor() &&
        body->getSingleSuccessor() == join && join->hasNPredecessors(2) &&
        isShort(*body))
      return OneArmed{&head, body, join};
  }
  return std::nullopt;
}

void flatten(const OneArmed &shape) {
  auto [head, body, join] = shape;
  auto *branch = cast<BranchInst>(head->getTerminator());
  Value *condition = branch->getCondition();
  bool bodyIfTrue = branch->getSuccessor(0) == body;
  head->splice(branch->getIterator(), body, body->begin(),
               body->getTerminator()->getIterator());
  IRBuilder<> b(branch);
  for (PHINode &phi : make_early_inc_range(join->phis())) {
    Value *taken = phi.getIncomingValueForBlock(body),
          *around = phi.getIncomingValueForBlock(head);
    Value *value = taken; // nobody looks at it in the other lanes
    if (!isa<UndefValue>(around))
      value = isa<UndefValue>(taken) ? around
              : bodyIfTrue           ? b.CreateSelect(condition, taken, around)
                                     : b.CreateSelect(condition, around, taken);
    phi.replaceAllUsesWith(value);
    phi.eraseFromParent();
  }
  b.CreateBr(join);
  branch->eraseFromParent();
  DeleteDeadBlock(body);
  MergeBlockIntoPredecessor(join);
}

} // namespace

PreservedAnalyses FlattenBranchesPass::run(Function &region,
                                           FunctionAnalysisManager &analyses) {
  auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(region);
  // Blocks are merged on the way; their terminators stay.
  SmallVector<WeakVH> divergent;
  for (BasicBlock &block : region)
    if (uniformity.hasDivergentTerminator(block))
      divergent.push_back(block.getTerminator());
  bool changed = false;
  // Inner ones first, by going backwards; what is around them may follow.
  for (const WeakVH &handle : reverse(divergent)) {
    Value *branch = handle;
    if (!branch)
      continue;
    if (auto shape = match(*cast<Instruction>(branch)->getParent())) {
      flatten(*shape);
      changed = true;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace bessemer::codegen::cpu
