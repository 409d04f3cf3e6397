//===- Traps.cpp - __builtin_trap as a fault of the dispatch --------------===//
#include "msl/KernelIR.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace bessemer;
using namespace llvm;

/// The address space of constant pointers in kernel IR.
static constexpr unsigned constantSpace = 4;

static bool isTrap(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == Intrinsic::trap ||
                  call->getIntrinsicID() == Intrinsic::ubsantrap);
}

/// A trap with a message stands in an artificial function without lines.
static DebugLoc locationOf(const Instruction &trap) {
  const DILocation *place = trap.getDebugLoc().get();
  while (place && !place->getLine() && place->getInlinedAt())
    place = place->getInlinedAt();
  return DebugLoc(place);
}

/// What follows a failed check is not run; but it must not be undefined, or the
/// way there would be taken for impossible.
static void returnBehind(Instruction &trap) {
  auto *end = dyn_cast<UnreachableInst>(trap.getParent()->getTerminator());
  if (!end)
    return;
  Type *result = trap.getFunction()->getReturnType();
  ReturnInst::Create(trap.getContext(),
                     result->isVoidTy() ? nullptr
                                        : Constant::getNullValue(result),
                     end->getIterator());
  end->eraseFromParent();
}

void msl::reportTraps(Module &module) {
  SmallVector<Instruction *> traps;
  for (llvm::Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isTrap(instruction))
        traps.push_back(&instruction);
  if (traps.empty())
    return;
  LLVMContext &context = module.getContext();
  auto *tensor = PointerType::get(context, constantSpace);
  FunctionCallee check = module.getOrInsertFunction(
      "bsm.check_index", Type::getVoidTy(context), Type::getInt1Ty(context),
      tensor, Type::getInt32Ty(context), Type::getInt64Ty(context));
  for (Instruction *trap : traps) {
    IRBuilder<> builder(trap);
    CallInst *call = builder.CreateCall(
        check, {builder.getFalse(), ConstantPointerNull::get(tensor),
                builder.getInt32(0), builder.getInt64(0)});
    call->setDebugLoc(locationOf(*trap));
    returnBehind(*trap);
    trap->eraseFromParent();
  }
}
