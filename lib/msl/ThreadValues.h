//===- ThreadValues.h - Values of thread attributes in IR -------*- C++ -*-===//
#ifndef BESSEMER_MSL_THREADVALUES_H
#define BESSEMER_MSL_THREADVALUES_H

#include "msl/Reflection.h"

#include "llvm/IR/IRBuilder.h"

namespace bessemer::msl {

/// Emits the value of `parameter`, of kind Thread: an integer, or for a vector
/// the address of a copy on the stack.
llvm::Value *emitThreadValue(llvm::IRBuilder<> &builder,
                             const KernelParameter &parameter);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_THREADVALUES_H
