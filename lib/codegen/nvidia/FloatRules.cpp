//===- FloatRules.cpp - Divisions, square roots, conversions --------------===//
//
// Where the front end allows a reciprocal in place of a division (every math
// mode but safe), Metal asks for 2.5 ulp, which the hardware has much cheaper
// than the correctly rounded result that LLVM would compute.
//
//===----------------------------------------------------------------------===//
#include "codegen/nvidia/Steps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace bessemer::codegen::nvidia {

/// Where `value` is known: behind its definition.
static BasicBlock::iterator placeBehind(Value &value, Function &function) {
  auto *definition = dyn_cast<Instruction>(&value);
  if (!definition)
    return function.getEntryBlock().getFirstInsertionPt();
  return *definition->getInsertionPointAfterDef();
}

// One reciprocal of each divisor, behind its definition and so outside of the
// loops that divide by it.
static Value *lowerDivision(BinaryOperator &division,
                            DenseMap<Value *, Value *> &reciprocals) {
  if (division.getOpcode() != Instruction::FDiv ||
      !division.getType()->isFloatTy() || !division.hasAllowReciprocal())
    return nullptr;
  Value *x = division.getOperand(0), *y = division.getOperand(1);
  Value *&reciprocal = reciprocals[y];
  if (!reciprocal) {
    Function &function = *division.getFunction();
    IRBuilder<> b(function.getContext());
    BasicBlock::iterator place = placeBehind(*y, function);
    b.SetInsertPoint(place->getParent(), place);
    reciprocal = b.CreateIntrinsic(llvm::Intrinsic::nvvm_rcp_approx_ftz_f, {y});
  }
  if (PatternMatch::match(x, PatternMatch::m_FPOne()))
    return reciprocal;
  IRBuilder<> b(&division);
  return b.CreateFMulFMF(x, reciprocal, &division);
}

/// The hardware converts as kernel IR promises: saturating, NaN to 0.
static Value *lowerConversion(IntrinsicInst &call) {
  bool isSigned = call.getIntrinsicID() == llvm::Intrinsic::fptosi_sat;
  if (!isSigned && call.getIntrinsicID() != llvm::Intrinsic::fptoui_sat)
    return nullptr;
  if (!call.getType()->isIntegerTy(32) ||
      !call.getArgOperand(0)->getType()->isFloatTy())
    return nullptr;
  IRBuilder<> b(&call);
  return b.CreateIntrinsic(isSigned ? llvm::Intrinsic::nvvm_f2i_rz
                                    : llvm::Intrinsic::nvvm_f2ui_rz,
                           {call.getArgOperand(0)});
}

static Value *lowerSquareRoot(IntrinsicInst &call) {
  if (call.getIntrinsicID() != llvm::Intrinsic::sqrt ||
      !call.getType()->isFloatTy() || !call.hasAllowReciprocal())
    return nullptr;
  IRBuilder<> b(&call);
  return b.CreateIntrinsic(llvm::Intrinsic::nvvm_sqrt_approx_ftz_f,
                           {call.getArgOperand(0)});
}

void applyFloatRules(Function &function) {
  DenseMap<Value *, Value *> reciprocals;
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    Value *result = nullptr;
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
      result = lowerDivision(*operation, reciprocals);
    else if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      result = call->getIntrinsicID() == llvm::Intrinsic::sqrt
                   ? lowerSquareRoot(*call)
                   : lowerConversion(*call);
    if (!result)
      continue;
    instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
  }
}

void narrowAtomicScopes(Function &function) {
  LLVMContext &context = function.getContext();
  SyncScope::ID device = context.getOrInsertSyncScopeID("device");
  SyncScope::ID block = context.getOrInsertSyncScopeID("block");
  auto scope = [&](unsigned space) {
    return space == static_cast<unsigned>(AddressSpace::Threadgroup) ? block
                                                                     : device;
  };
  for (Instruction &instruction : instructions(function)) {
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      update->setSyncScopeID(scope(update->getPointerAddressSpace()));
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      exchange->setSyncScopeID(scope(exchange->getPointerAddressSpace()));
    else if (auto *fence = dyn_cast<FenceInst>(&instruction))
      fence->setSyncScopeID(device);
    else if (auto *load = dyn_cast<LoadInst>(&instruction);
             load && load->isAtomic())
      load->setAtomic(load->getOrdering(),
                      scope(load->getPointerAddressSpace()));
    else if (auto *store = dyn_cast<StoreInst>(&instruction);
             store && store->isAtomic())
      store->setAtomic(store->getOrdering(),
                       scope(store->getPointerAddressSpace()));
  }
}

} // namespace bessemer::codegen::nvidia
