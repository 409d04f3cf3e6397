//===- SourceLine.h - Where in the user's source --------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_COMMON_SOURCELINE_H
#define BESSEMER_CODEGEN_COMMON_SOURCELINE_H

#include <string>

namespace llvm {
class Instruction;
} // namespace llvm

namespace bessemer::codegen {

/// The line in the kernel's own file: the innermost frame of the inlining
/// stack that lies in it, so that code inlined from a header counts for the
/// line that used it. 0 if unknown.
unsigned sourceLine(const llvm::Instruction &instruction);

/// "file:line: " or "" to put in front of a message.
std::string atSourceLine(const llvm::Instruction &instruction);

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_COMMON_SOURCELINE_H
