//===- FunctionPointers.h - Calls through pointers as direct ones -*- C++
//-*-===//
#ifndef BESSEMER_CODEGEN_FUNCTIONPOINTERS_H
#define BESSEMER_CODEGEN_FUNCTIONPOINTERS_H

#include "llvm/IR/Module.h"

namespace bessemer::codegen {

/// Whether `function` calls through a pointer.
bool callsPointers(const llvm::Function &function);

/// Makes each call through a pointer a choice between direct calls of the
/// functions that it can mean. In memory and comparisons, a number stands for
/// each function from now on. A pointer to none of them is a trap.
void resolveFunctionPointers(llvm::Module &module);

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_FUNCTIONPOINTERS_H
