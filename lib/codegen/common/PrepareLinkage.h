//===- PrepareLinkage.h - One kernel of a module, for inlining --*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_COMMON_PREPARELINKAGE_H
#define BESSEMER_CODEGEN_COMMON_PREPARELINKAGE_H

#include "llvm/IR/Function.h"

namespace bessemer::codegen {

/// Makes everything in the kernel's module internal and always inlined but the
/// kernel, and gives the bsm.* functions their attributes.
void prepareLinkage(llvm::Function &kernel);

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_COMMON_PREPARELINKAGE_H
