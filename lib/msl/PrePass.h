//===- PrePass.h - Metal syntax that C++ has not, in place ------*- C++ -*-===//
#ifndef BESSEMER_MSL_PREPASS_H
#define BESSEMER_MSL_PREPASS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace bessemer::msl {

/// Rewrites the few constructs of Metal that Clang's C++ parser would refuse.
/// The result has the same length and the same line breaks: every line and
/// column that Clang reports is the user's own.
std::string prePass(llvm::StringRef source);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_PREPASS_H
