//===- Target.h - The machine that code is generated for --------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_TARGET_H
#define BESSEMER_CODEGEN_CPU_TARGET_H

#include "codegen/cpu/Compile.h"

#include "llvm/Target/TargetMachine.h"

namespace bessemer::codegen::cpu {

/// The machine that `options` name. An Error for a CPU that LLVM does not know.
Result<std::unique_ptr<llvm::TargetMachine>>
createTarget(const Options &options);

/// Lanes of one machine vector of 32-bit elements.
unsigned nativePartLanes(const llvm::TargetMachine &target);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_TARGET_H
