//===- WidenMasks.h - Lane masks between blocks -----------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_CLEANUP_WIDENMASKS_H
#define BESSEMER_CODEGEN_CPU_CLEANUP_WIDENMASKS_H

#include "llvm/IR/Function.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace bessemer::codegen::cpu {

/// On targets without mask registers a <N x i1> that crosses a block is packed
/// to small integers and unpacked at every use. As vectors of words, masks are
/// what comparisons give and what blends and masked accesses take.
void widenMasks(llvm::Function &function, llvm::TargetMachine &target);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_CLEANUP_WIDENMASKS_H
