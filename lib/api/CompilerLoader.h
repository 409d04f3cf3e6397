//===- CompilerLoader.h - The compiler half on demand -----------*- C++ -*-===//
#ifndef BESSEMER_API_COMPILERLOADER_H
#define BESSEMER_API_COMPILERLOADER_H

#include "bessemer/abi/compiler.h"
#include "bessemer/result.h"

#include <string>

namespace bessemer::api {

/// $BESSEMER_COMPILER, else libbessemer-compiler.so beside this library.
std::string compilerPath();

/// The compiler's table; loads the library on the first call. A failure is not
/// remembered: the next call tries again.
Result<const bsm_compiler_api *> compiler();

/// The compiler's build id, read from its file so that cached code is found
/// without loading it.
Result<std::string> compilerBuildId();

} // namespace bessemer::api

#endif // BESSEMER_API_COMPILERLOADER_H
