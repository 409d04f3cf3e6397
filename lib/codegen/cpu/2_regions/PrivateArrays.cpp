//===- PrivateArrays.cpp - Private memory in the context ------------------===//

#include "codegen/cpu/2_regions/PrivateArrays.h"

#include "codegen/common/SourceLine.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// Of a worker's stack for arrays; the threads of a host program may have
/// small ones.
constexpr uint64_t stackBudget = 64 << 10;

Function *declarePrivate(Module &module) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context);
  FunctionCallee callee =
      module.getOrInsertFunction(privateIntrinsic, PointerType::get(context, 0),
                                 i32, i32, i32, Type::getInt1Ty(context));
  auto *declaration = cast<Function>(callee.getCallee());
  declaration->setMemoryEffects(MemoryEffects::none());
  declaration->setDoesNotThrow();
  declaration->setWillReturn();
  return declaration;
}

void removeLifetimes(AllocaInst &variable) {
  for (User *user : make_early_inc_range(variable.users()))
    if (auto *marker = dyn_cast<IntrinsicInst>(user);
        marker && marker->isLifetimeStartOrEnd())
      marker->eraseFromParent();
}

} // namespace

bool exceedsStack(const Function &kernel, const RegionOptions &options) {
  uint64_t bytes = 0;
  for (const Instruction &instruction : instructions(kernel))
    if (const auto *variable = dyn_cast<AllocaInst>(&instruction))
      if (auto size = variable->getAllocationSize(kernel.getDataLayout()))
        bytes += size->getFixedValue();
  return bytes * options.lanesInFlight > stackBudget;
}

Status movePrivateArrays(Function &kernel, ContextLayout &layout, bool kept) {
  Function *intrinsic = declarePrivate(*kernel.getParent());
  IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
  for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    if (!variable)
      continue;
    std::optional<TypeSize> size =
        variable->getAllocationSize(kernel.getDataLayout());
    if (!size || !variable->isStaticAlloca())
      return makeError(ErrorKind::Unsupported,
                       atSourceLine(*variable) +
                           "a private array of run-time size");
    removeLifetimes(*variable);
    uint64_t bytes = alignTo(size->getFixedValue(), variable->getAlign());
    uint64_t offset = kept ? layout.perThread(bytes) : layout.perLane(bytes);
    if (layout.bytes() > ContextLayout::mostBytes)
      return makeError(
          ErrorKind::Unsupported,
          atSourceLine(*variable) + "kernel '" +
              kernel.getName().rsplit('.').first.str() +
              "' has private arrays of " + std::to_string(bytes) +
              " bytes a thread, which is more than there is room for; use a "
              "device buffer, or fewer threads in a threadgroup");
    builder.SetInsertPoint(variable);
    variable->replaceAllUsesWith(builder.CreateCall(
        intrinsic, {builder.getInt32(offset), builder.getInt32(bytes),
                    builder.getInt32(privateElementSize(*variable)),
                    builder.getInt1(kept)}));
    variable->eraseFromParent();
  }
  return {};
}

} // namespace bessemer::codegen::cpu
