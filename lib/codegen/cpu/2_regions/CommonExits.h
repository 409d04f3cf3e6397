//===- CommonExits.h - Loops that all threads leave together ----*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_COMMONEXITS_H
#define BESSEMER_CODEGEN_CPU_COMMONEXITS_H

#include "llvm/IR/Function.h"

namespace bessemer::codegen::cpu {

/// Where threads walk in steps of the group through a constant extent that is a
/// multiple of it, as in `for (i = thread; i < 512; i += 64)` in groups of 64,
/// all of them take the same number of steps: the comparison becomes one of a
/// counter without the thread in it, so that the loop needs no masks.
void findCommonExits(llvm::Function &kernel);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_COMMONEXITS_H
