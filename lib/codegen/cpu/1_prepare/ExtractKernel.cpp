//===- ExtractKernel.cpp - One kernel out of a library's module -----------===//
//
// Libraries hold up to thousands of kernels; copying all to compile one takes
// far longer than the compilation.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/1_prepare/Prepare.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

/// The functions and variables that `kernel` refers to, directly or not.
static SmallPtrSet<const GlobalValue *, 32>
reachableFrom(const Function *kernel) {
  SmallPtrSet<const GlobalValue *, 32> reached;
  SmallPtrSet<const Constant *, 32> seen;
  SmallVector<const Constant *> worklist{kernel};
  auto visitOperands = [&](const User &user) {
    for (const Use &operand : user.operands())
      if (const auto *constant = dyn_cast<Constant>(operand.get()))
        worklist.push_back(constant);
  };
  while (!worklist.empty()) {
    const Constant *constant = worklist.pop_back_val();
    if (isa<ConstantData>(constant) || !seen.insert(constant).second)
      continue;
    if (const auto *global = dyn_cast<GlobalValue>(constant))
      reached.insert(global);
    visitOperands(*constant);
    if (const auto *function = dyn_cast<Function>(constant))
      for (const Instruction &instruction : instructions(function))
        visitOperands(instruction);
  }
  return reached;
}

std::unique_ptr<Module> extractKernel(const Module &module,
                                      const std::string &symbol) {
  auto reached = reachableFrom(module.getFunction(symbol));
  ValueToValueMapTy map;
  std::unique_ptr<Module> copy =
      CloneModule(module, map, [&](const GlobalValue *global) {
        return reached.contains(global);
      });
  for (Function &function : make_early_inc_range(*copy))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  for (GlobalVariable &variable : make_early_inc_range(copy->globals()))
    if (variable.isDeclaration() && variable.use_empty())
      variable.eraseFromParent();
  return copy;
}

} // namespace bessemer::codegen::cpu
