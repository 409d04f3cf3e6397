//===- PrivateArrays.h - Private memory in the context ----------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_PRIVATEARRAYS_H
#define BESSEMER_CODEGEN_CPU_PRIVATEARRAYS_H

#include "codegen/cpu/2_regions/LiveValues.h"

namespace bessemer::codegen::cpu {

/// Whether the arrays of a chunk's lanes are too much for a thread's stack.
bool exceedsStack(const llvm::Function &kernel, const RegionOptions &options);

/// Moves the private arrays of `kernel` into the context: `kept`, so that they
/// survive barriers, or one block that chunk after chunk uses.
Status movePrivateArrays(llvm::Function &kernel, ContextLayout &layout,
                         bool kept);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_PRIVATEARRAYS_H
