//===- LowerOperations.cpp - Barriers, checks, mathematics ----------------===//
#include "codegen/nvidia/Steps.h"

#include "bessemer/abi/cuda.h"
#include "codegen/common/Intrinsics.h"
#include "codegen/common/SourceLine.h"
#include "codegen/common/math/Math.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

using namespace llvm;

namespace bessemer::codegen::nvidia {

namespace {

class Lowering {
public:
  Lowering(Function &function, Value *fault, const Options &options)
      : function(function), fault(fault), options(options) {}
  void run();

private:
  void lowerBarrier(CallInst &call);
  void lowerCheck(CallInst &call);
  void lowerMath(CallInst &call, Intrinsic id);
  Function *recordFault();

  Function &function;
  Value *fault;
  const Options &options;
};

} // namespace

// A barrier waits for the threads that have not returned. One warp needs less.
void Lowering::lowerBarrier(CallInst &call) {
  IRBuilder<> b(&call);
  auto [x, y, z] = options.group;
  if (!options.anyShape() && x * y * z <= 32)
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_bar_warp_sync, {b.getInt32(~0u)});
  else
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                      {b.getInt32(0)});
}

/// `void bsm.index_fault(fault, argument, dimension, line, index)`: the first
/// caller fills in the record. A call, so that checks stay small.
Function *Lowering::recordFault() {
  Module &module = *function.getParent();
  if (Function *known = module.getFunction("bsm.index_fault"))
    return known;
  LLVMContext &context = module.getContext();
  Type *word = Type::getInt32Ty(context);
  auto *type = FunctionType::get(
      Type::getVoidTy(context),
      {fault->getType(), word, word, word, Type::getInt64Ty(context)}, false);
  Function *record = Function::Create(type, GlobalValue::InternalLinkage,
                                      "bsm.index_fault", module);
  record->addFnAttr(Attribute::NoInline);
  record->addFnAttr(Attribute::Cold);
  record->setDoesNotThrow();
  auto *start = BasicBlock::Create(context, "", record);
  auto *first = BasicBlock::Create(context, "first", record);
  auto *done = BasicBlock::Create(context, "done", record);
  IRBuilder<> b(start);
  Value *claimed = b.CreateExtractValue(
      b.CreateAtomicCmpXchg(record->getArg(0), b.getInt32(0), b.getInt32(1),
                            Align(4), AtomicOrdering::Monotonic,
                            AtomicOrdering::Monotonic,
                            context.getOrInsertSyncScopeID("device")),
      1);
  b.CreateCondBr(claimed, first, done);
  b.SetInsertPoint(first);
  const size_t offsets[] = {
      offsetof(bsm_cuda_fault, argument), offsetof(bsm_cuda_fault, dimension),
      offsetof(bsm_cuda_fault, line), offsetof(bsm_cuda_fault, index)};
  for (auto [i, offset] : enumerate(offsets))
    b.CreateStore(
        record->getArg(i + 1),
        b.CreateConstGEP1_64(b.getInt8Ty(), record->getArg(0), offset));
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  return record;
}

/// A thread whose subscript is out of range records that and ends: barriers
/// and warp instructions do without it.
void Lowering::lowerCheck(CallInst &call) {
  Value *holds = call.getArgOperand(0);
  if (auto *constant = dyn_cast<ConstantInt>(holds);
      constant && constant->isOne())
    return;
  IRBuilder<> b(&call);
  // Only dispatches with tensors have a record; a trap ends the GPU's context.
  if (isa<ConstantPointerNull>(call.getArgOperand(1)->stripPointerCasts())) {
    b.CreateIntrinsic(llvm::Intrinsic::trap, ArrayRef<Value *>());
    return;
  }
  Instruction *end = SplitBlockAndInsertIfThen(
      b.CreateNot(holds), call.getIterator(), /*Unreachable=*/true);
  b.SetInsertPoint(end);
  b.SetCurrentDebugLocation(call.getDebugLoc());
  Value *argument = b.CreateAlignedLoad(
      b.getInt32Ty(),
      b.CreateConstGEP1_64(b.getInt8Ty(), call.getArgOperand(1),
                           offsetof(bsm_tensor, argument)),
      Align(4));
  b.CreateCall(recordFault(),
               {fault, argument, call.getArgOperand(2),
                b.getInt32(sourceLine(call)), call.getArgOperand(3)});
  b.CreateIntrinsic(llvm::Intrinsic::nvvm_exit, ArrayRef<Value *>());
}

void Lowering::lowerMath(CallInst &call, Intrinsic id) {
  // "bsm.<function>.<class>.f32"
  SmallVector<StringRef, 4> parts;
  intrinsicInfo(id).name.split(parts, '.');
  Value *result = emitFastMath(&call);
  if (!result) {
    IRBuilder<> b(&call);
    SmallVector<Value *, 2> operands(call.args());
    result = emitMath(b, parts[1], parts[2] == "precise", operands);
  }
  call.replaceAllUsesWith(result);
}

void Lowering::run() {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (intrinsicOf(&instruction) != Intrinsic::None)
      calls.push_back(cast<CallInst>(&instruction));
  for (CallInst *call : calls) {
    Intrinsic id = intrinsicOf(call);
    if (id == Intrinsic::ThreadgroupBarrier)
      lowerBarrier(*call);
    else if (id == Intrinsic::CheckIndex)
      lowerCheck(*call);
    else if (intrinsicInfo(id).family == IntrinsicFamily::Math)
      lowerMath(*call, id);
    else
      continue;
    call->eraseFromParent();
  }
}

void lowerOperations(Function &function, Value *fault, const Options &options) {
  Lowering(function, fault, options).run();
}

} // namespace bessemer::codegen::nvidia
