//===- Guard.h - Compiler crashes as errors ---------------------*- C++ -*-===//
#ifndef BESSEMER_COMPILER_GUARD_H
#define BESSEMER_COMPILER_GUARD_H

#include "bessemer/result.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string_view>

namespace bessemer::compiler {

/// Runs `work` on a thread with a 64 MiB stack (deep user code must not
/// overflow the caller's), under crash recovery: a crash or fatal error of the
/// compiler becomes an Error that says what it was doing; `source`, if any, is
/// saved into the temporary folder for a report.
Status guarded(std::string_view doing, std::string_view source,
               llvm::function_ref<Status()> work);

/// The same on the calling thread, for small steps that cannot recurse deeply.
Status guardedInPlace(std::string_view doing,
                      llvm::function_ref<Status()> work);

} // namespace bessemer::compiler

#endif // BESSEMER_COMPILER_GUARD_H
