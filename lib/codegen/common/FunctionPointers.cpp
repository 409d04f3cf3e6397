//===- FunctionPointers.cpp - Calls through pointers as direct ones -------===//
#include "codegen/common/FunctionPointers.h"

#include "codegen/common/Intrinsics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace bessemer::codegen {

namespace {

bool isIndirect(const CallBase &call) {
  return !call.isInlineAsm() &&
         !isa<Function>(call.getCalledOperand()->stripPointerCasts());
}

bool hasAddress(const Function &function) {
  return !function.isDeclaration() && any_of(function.uses(), [](const Use &u) {
    const auto *call = dyn_cast<CallBase>(u.getUser());
    return !isa<BlockAddress>(u.getUser()) && !(call && call->isCallee(&u));
  });
}

class Resolver {
public:
  explicit Resolver(Module &module) : module(module) {}
  void run();

private:
  ConstantInt *numberOf(unsigned position) const;
  void replaceAddress(Function &function, unsigned position);
  void resolve(CallBase &call);
  void reportUnknown(IRBuilder<> &builder, const DebugLoc &location);

  Module &module;
  SmallVector<Function *> functions;
};

/// Not 0, the null pointer; even, since members' pointers tell virtual ones by
/// the lowest bit.
ConstantInt *Resolver::numberOf(unsigned position) const {
  return ConstantInt::get(Type::getInt64Ty(module.getContext()),
                          (position + 1) * 16);
}

void Resolver::replaceAddress(Function &function, unsigned position) {
  SmallVector<CallBase *> calls;
  for (const Use &use : function.uses())
    if (auto *call = dyn_cast<CallBase>(use.getUser());
        call && call->isCallee(&use))
      calls.push_back(call);
  function.replaceAllUsesWith(
      ConstantExpr::getIntToPtr(numberOf(position), function.getType()));
  for (CallBase *call : calls)
    call->setCalledOperand(&function);
}

void Resolver::reportUnknown(IRBuilder<> &builder, const DebugLoc &location) {
  Function *check = declareIntrinsic(module, Intrinsic::CheckIndex, 0);
  FunctionType *type = check->getFunctionType();
  CallInst *trap = builder.CreateCall(
      check, {builder.getFalse(), Constant::getNullValue(type->getParamType(1)),
              builder.getInt32(0), builder.getInt64(0)});
  trap->setDebugLoc(location);
}

void Resolver::resolve(CallBase &call) {
  IRBuilder<> builder(&call);
  Value *number =
      builder.CreatePtrToInt(call.getCalledOperand(), builder.getInt64Ty());
  BasicBlock *head = call.getParent();
  BasicBlock *join = SplitBlock(head, call.getIterator());
  Instruction *jump = head->getTerminator();
  auto *unknown = BasicBlock::Create(module.getContext(), "callee.none",
                                     head->getParent(), join);
  builder.SetInsertPoint(unknown);
  reportUnknown(builder, call.getDebugLoc());
  builder.CreateBr(join);
  builder.SetInsertPoint(jump);
  SwitchInst *choice = builder.CreateSwitch(number, unknown, functions.size());
  jump->eraseFromParent();
  builder.SetInsertPoint(&call);
  PHINode *result = nullptr;
  if (!call.getType()->isVoidTy()) {
    result = builder.CreatePHI(call.getType(), functions.size() + 1);
    result->addIncoming(Constant::getNullValue(call.getType()), unknown);
  }
  for (auto [position, function] : enumerate(functions)) {
    if (function->getFunctionType() != call.getFunctionType())
      continue;
    auto *chosen = BasicBlock::Create(module.getContext(), "callee",
                                      head->getParent(), join);
    auto *direct = cast<CallBase>(call.clone());
    direct->setCalledOperand(function);
    direct->insertInto(chosen, chosen->end());
    BranchInst::Create(join, chosen);
    choice->addCase(numberOf(position), chosen);
    if (result)
      result->addIncoming(direct, chosen);
  }
  if (result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void Resolver::run() {
  SmallVector<CallBase *> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && isIndirect(*call))
        calls.push_back(call);
  for (Function &function : module)
    if (hasAddress(function))
      functions.push_back(&function);
  for (auto [position, function] : enumerate(functions))
    replaceAddress(*function, position);
  for (CallBase *call : calls)
    resolve(*call);
}

} // namespace

bool callsPointers(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && isIndirect(*call);
  });
}

void resolveFunctionPointers(Module &module) { Resolver(module).run(); }

} // namespace bessemer::codegen
