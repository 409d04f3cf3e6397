//===- Messages.h - Clang's messages in Metal's words -----------*- C++ -*-===//
#ifndef BESSEMER_MSL_MESSAGES_H
#define BESSEMER_MSL_MESSAGES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class CompilerInstance;
class Diagnostic;
} // namespace clang

namespace bessemer::msl {

/// The message of `info` as the user reads it. `word` is what stands in the
/// source at its place.
std::string messageOf(const clang::Diagnostic &info, llvm::StringRef word,
                      clang::CompilerInstance &compiler);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_MESSAGES_H
