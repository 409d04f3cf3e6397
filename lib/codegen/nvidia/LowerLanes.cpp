//===- LowerLanes.cpp - Cross-lane operations as warp instructions --------===//
#include "codegen/nvidia/ActiveMasks.h"
#include "codegen/nvidia/LaneBuilder.h"
#include "codegen/nvidia/Steps.h"

#include "codegen/common/Intrinsics.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace bessemer::codegen::nvidia {

static bool isCrossLane(Intrinsic id) {
  const IntrinsicInfo &info = intrinsicInfo(id);
  return info.family == IntrinsicFamily::Reduction ||
         info.family == IntrinsicFamily::Scan || id == Intrinsic::Shuffle ||
         id == Intrinsic::Ballot || id == Intrinsic::SimdgroupBarrier;
}

static SmallVector<CallInst *> crossLaneCalls(Function &function) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (isCrossLane(intrinsicOf(&instruction)))
      calls.push_back(cast<CallInst>(&instruction));
  return calls;
}

static Value *entryMask(Function &function, const Options &options) {
  Type *word = Type::getInt32Ty(function.getContext());
  if (options.wholeSimdgroups())
    return ConstantInt::getAllOnesValue(word);
  FunctionCallee callee = function.getParent()->getOrInsertFunction(
      entryMaskFunction, FunctionType::get(word, false));
  auto *declaration = cast<Function>(callee.getCallee());
  declaration->setDoesNotThrow();
  declaration->setMemoryEffects(MemoryEffects::none());
  IRBuilder<> builder(&function.getEntryBlock(),
                      function.getEntryBlock().getFirstInsertionPt());
  return builder.CreateCall(callee, {}, "active");
}

static Value *lowerCall(CallInst &call, LaneBuilder &lanes) {
  Intrinsic id = intrinsicOf(&call);
  const IntrinsicInfo &info = intrinsicInfo(id);
  Value *first = call.getArgOperand(0);
  if (id == Intrinsic::Shuffle)
    return lanes.shuffle(first, call.getArgOperand(1));
  if (id == Intrinsic::Ballot)
    return lanes.ballot(first);
  if (id == Intrinsic::SimdgroupBarrier) {
    lanes.barrier();
    return nullptr;
  }
  LaneOperation operation = LaneOperation::of(info.name, call.getType());
  if (info.family == IntrinsicFamily::Reduction)
    return lanes.reduce(operation, first);
  return lanes.scan(operation, first, info.name.contains("inclusive"));
}

void lowerLanes(Function &function, const Options &options) {
  if (crossLaneCalls(function).empty())
    return;
  SpmdAnalyses analyses(/*oneSimdgroup=*/true);
  Value *entry = entryMask(function, options);
  ActiveMasks masks(function, entry, analyses);
  // All masks before any operation, which adds blocks.
  SmallVector<std::pair<CallInst *, Value *>> calls;
  for (CallInst *call : crossLaneCalls(function))
    calls.emplace_back(call, masks.at(call->getParent()));
  Value *everybody =
      ConstantInt::getAllOnesValue(Type::getInt32Ty(function.getContext()));
  for (auto [call, mask] : calls) {
    // Lanes that never existed have returned; naming them costs nothing.
    LaneBuilder lanes(call, mask, mask == entry ? everybody : mask);
    if (Value *value = lowerCall(*call, lanes))
      call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

} // namespace bessemer::codegen::nvidia
