//===- AddCodeGeneration.h - LLVM's passes to machine code ------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_COMMON_ADDCODEGENERATION_H
#define BESSEMER_CODEGEN_COMMON_ADDCODEGENERATION_H

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

namespace bessemer::codegen {

/// Some of what LLVM does is decided by its command line options, which are
/// global. Whoever sets them, reads them or resets them (lld) holds this.
std::mutex &optionsMutex();

enum class StrengthReduction { Yes, No };

/// Appends what makes `type` of IR. False if the target cannot.
bool addCodeGeneration(llvm::legacy::PassManager &passes,
                       llvm::TargetMachine &target,
                       llvm::raw_pwrite_stream &stream,
                       llvm::CodeGenFileType type, StrengthReduction reduction);

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_COMMON_ADDCODEGENERATION_H
