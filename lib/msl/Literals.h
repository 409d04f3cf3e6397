//===- Literals.h - Floating literals of Metal ------------------*- C++ -*-===//
#ifndef BESSEMER_MSL_LITERALS_H
#define BESSEMER_MSL_LITERALS_H

#include "llvm/ADT/StringRef.h"

#include "llvm/Support/Allocator.h"

namespace clang {
class Token;
} // namespace clang

namespace bessemer::msl {

/// Whether `text` is a floating literal with suffix f.
bool hasFloatSuffix(llvm::StringRef text);

/// Clang's literals without a suffix have Metal's float type (Target.cpp): from
/// here on `0.5f` reads as `0.5`. The pre-pass does the same in the text; this
/// is for tokens that macros paste together. New text goes into `memory`.
void dropFloatSuffix(clang::Token &token, llvm::BumpPtrAllocator &memory);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_LITERALS_H
