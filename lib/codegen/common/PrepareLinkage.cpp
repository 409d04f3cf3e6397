//===- PrepareLinkage.cpp - One kernel of a module, for inlining ----------===//
#include "codegen/common/PrepareLinkage.h"

#include "codegen/common/Intrinsics.h"

#include "llvm/IR/Module.h"

using namespace llvm;

void bessemer::codegen::prepareLinkage(Function &kernel) {
  Module &module = *kernel.getParent();
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    // llvm.used and its like would keep the other kernels alive.
    if (variable.hasAppendingLinkage())
      variable.eraseFromParent();
    else if (!variable.isDeclaration())
      variable.setLinkage(GlobalValue::InternalLinkage);
  }
  for (Function &function : module) {
    function.removeFnAttr(Attribute::OptimizeNone);
    function.removeFnAttr(Attribute::NoInline);
    if (Intrinsic id = intrinsicOf(function); id != Intrinsic::None)
      setIntrinsicAttributes(function, id);
    if (function.isDeclaration() || &function == &kernel)
      continue;
    function.setComdat(nullptr);
    function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::AlwaysInline);
  }
}
