//===- AttributeVariables.cpp - Thread attributes of program scope --------===//
//
// `uint3 position [[thread_position_in_grid]];` outside of a function: in IR an
// external variable. Every function that reads it gets a copy of its own, with
// the values of the thread that runs it.
//
//===----------------------------------------------------------------------===//
#include "msl/KernelIR.h"
#include "msl/ThreadValues.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace bessemer;
using namespace bessemer::msl;

static llvm::Value *copyIn(llvm::Function &function,
                           const KernelParameter &parameter) {
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.begin());
  llvm::Value *value = emitThreadValue(builder, parameter);
  if (parameter.isVector)
    return value;
  llvm::AllocaInst *copy = builder.CreateAlloca(value->getType());
  builder.CreateStore(value, copy);
  return copy;
}

void msl::setAttributeVariables(
    llvm::Module &module, const std::vector<AttributeVariable> &variables) {
  for (const AttributeVariable &variable : variables) {
    llvm::GlobalVariable *global = module.getNamedGlobal(variable.symbol);
    if (!global)
      continue; // Nothing reads it.
    llvm::convertUsersOfConstantsToInstructions({global});
    llvm::MapVector<llvm::Function *, llvm::SmallVector<llvm::Use *>> readers;
    for (llvm::Use &use : global->uses())
      if (auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser()))
        readers[user->getFunction()].push_back(&use);
    for (auto &[function, uses] : readers) {
      llvm::Value *copy = copyIn(*function, variable.value);
      for (llvm::Use *use : uses)
        use->set(copy);
    }
    if (global->use_empty())
      global->eraseFromParent();
  }
}
