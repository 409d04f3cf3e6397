//===- Distances.h - Absolute differences of unsigned integers --*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_CLEANUP_DISTANCES_H
#define BESSEMER_CODEGEN_CPU_CLEANUP_DISTANCES_H

#include "llvm/IR/Function.h"
#include "llvm/Target/TargetMachine.h"

namespace bessemer::codegen::cpu {

/// `a > b ? a - b : b - a` and `max(a, b) - min(a, b)` of unsigned vectors,
/// with the difference negated under a mask, where the target has no such
/// minimum. There LLVM 22 makes an ABDU node of them and, once it knows that
/// one operand has the highest bit and the other has not, the absolute value of
/// a signed difference, which is another number.
void expandDistances(llvm::Function &function, llvm::TargetMachine &target);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_CLEANUP_DISTANCES_H
