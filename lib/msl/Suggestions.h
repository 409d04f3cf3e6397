//===- Suggestions.h - What a misspelt name may mean ------------*- C++ -*-===//
#ifndef BESSEMER_MSL_SUGGESTIONS_H
#define BESSEMER_MSL_SUGGESTIONS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace bessemer::msl {

/// The changes, drops, additions and swaps of neighbours that make `a` of `b`.
unsigned typingDistance(llvm::StringRef a, llvm::StringRef b);

/// The name of the language or its library that is nearest to `name`; empty if
/// none is near. Clang's own search does not count a swap as one mistake and
/// knows no keywords of Metal.
std::string nearestName(clang::CompilerInstance &compiler,
                        llvm::StringRef name);

/// The header of the library that is nearest to `name`; empty if none is near.
std::string nearestHeader(llvm::StringRef name);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_SUGGESTIONS_H
