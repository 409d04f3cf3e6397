//===- CheckIndex.cpp - The way out when a subscript is wrong -------------===//
//
// Cheap where all is well: one scalar test for a chunk of consecutive indices.
// The first wrong lane is looked for in cold code, which reports it through the
// services table and returns BSM_RUN_FAULT.
//
//===----------------------------------------------------------------------===//

#include "codegen/common/LaunchLayout.h"
#include "codegen/cpu/5_emit/Emitter.h"

#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

void Emitter::emitCheck(CallInst &call, unsigned from, unsigned to) {
  const Value *condition = call.getArgOperand(0);
  const auto *compare = dyn_cast<ICmpInst>(condition);
  bool single = all_of(call.args(), [this](const Value *argument) {
    return argument->getType()->isIntegerTy(1) ||
           shapes.of(argument).isSingle();
  });
  Value *fine = nullptr;
  if (single && shapes.of(condition).isUniform())
    fine = uniform(condition);
  else if (single && compare)
    fine = endPointTest(condition, /*inverted=*/false);
  if (!fine) {
    PartValues conditions;
    for (unsigned part = from; part < to; ++part)
      conditions.push_back(vector(condition, part));
    checkParts(call, conditions, from);
    return;
  }
  if (from != 0) // the test was for the whole chunk
    return;
  Block *some = newBlock("check.lanes"), *done = newBlock("check.done");
  auto *branch = b.CreateCondBr(fine, done, some);
  branch->setMetadata(LLVMContext::MD_prof,
                      MDBuilder(b.getContext()).createLikelyBranchWeights());
  b.SetInsertPoint(some);
  PartValues conditions;
  for (unsigned part = 0; part < parts; ++part)
    conditions.push_back(
        shapes.of(condition).isUniform()
            ? splat(fine)
            : b.CreateICmp(compare->getPredicate(),
                           vector(compare->getOperand(0), part),
                           vector(compare->getOperand(1), part)));
  checkParts(call, conditions, 0);
  b.CreateBr(done);
  b.SetInsertPoint(done);
}

/// Leaves the body if an active lane of these parts is out of range.
void Emitter::checkParts(CallInst &call, Scalars conditions, unsigned from) {
  PartValues wrong;
  for (unsigned i = 0; i < conditions.size(); ++i) {
    Value *bad = b.CreateNot(conditions[i]);
    wrong.push_back(mask.empty() ? bad : restrict(mask[from + i], bad));
  }
  Block *report = newBlock("index.wrong"), *fine = newBlock("index.fine");
  auto *branch = b.CreateCondBr(anyOf(wrong), report, fine);
  branch->setMetadata(LLVMContext::MD_prof,
                      MDBuilder(b.getContext()).createUnlikelyBranchWeights());
  b.SetInsertPoint(report);
  Block *shared = faultBlock();
  const DebugLoc &location = call.getDebugLoc();
  b.CreateStore(int32(location ? location.getLine() : 0), faultSlots[3]);
  for (unsigned argument = 1; argument <= 3; ++argument) {
    Value *first = nullptr; // of the first wrong lane
    for (unsigned i = wrong.size(); i-- > 0;) {
      Value *lane = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz,
                                            laneBits(wrong[i]), b.getFalse());
      Value *operand = call.getArgOperand(argument);
      Value *candidate =
          shapes.of(operand).isUniform()
              ? uniform(operand)
              : b.CreateExtractElement(vector(operand, from + i), lane);
      first =
          first ? b.CreateSelect(anyOf(wrong[i]), candidate, first) : candidate;
    }
    b.CreateStore(first, faultSlots[argument - 1]);
  }
  b.CreateBr(shared);
  b.SetInsertPoint(fine);
}

/// One call of the service for all checks of a body.
Emitter::Block *Emitter::faultBlock() {
  if (fault)
    return fault;
  IRBuilderBase::InsertPointGuard guard(b);
  Type *pointer = b.getPtrTy();
  for (Type *type : {pointer, static_cast<Type *>(b.getInt32Ty()),
                     static_cast<Type *>(b.getInt64Ty()),
                     static_cast<Type *>(b.getInt32Ty())})
    faultSlots.push_back(slot(type));
  fault = newBlock("index.fault");
  b.SetInsertPoint(fault);
  Value *launch = body->getArg(body->arg_size() - RegionParameters::Count +
                               RegionParameters::Launch);
  auto field = [&](Value *from, unsigned offset) {
    return b.CreateLoad(pointer,
                        b.CreateGEP(b.getInt8Ty(), from, b.getInt64(offset)));
  };
  Value *dispatch = field(launch, layout::dispatch);
  Value *service = field(field(launch, layout::services), layout::indexFault);
  auto *type = FunctionType::get(
      b.getVoidTy(),
      {pointer, pointer, b.getInt32Ty(), b.getInt64Ty(), b.getInt32Ty()},
      false);
  SmallVector<Value *, 5> arguments{dispatch};
  for (AllocaInst *slot : faultSlots)
    arguments.push_back(load(slot));
  b.CreateCall(type, service, arguments);
  b.CreateRet(int32(BSM_RUN_FAULT));
  return fault;
}

} // namespace bessemer::codegen::cpu
