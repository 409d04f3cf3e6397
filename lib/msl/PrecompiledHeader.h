//===- PrecompiledHeader.h - The standard library, parsed once --*- C++ -*-===//
#ifndef BESSEMER_MSL_PRECOMPILEDHEADER_H
#define BESSEMER_MSL_PRECOMPILEDHEADER_H

#include "bessemer/compiler.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace bessemer::msl {

/// The parsed standard library for the options that change it: from memory,
/// from the cache folder, or made now. Null if it cannot be made.
std::shared_ptr<const std::string>
precompiledHeader(const CompileOptions &options);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_PRECOMPILEDHEADER_H
