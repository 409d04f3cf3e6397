//===- Guard.h - Compiler crashes as errors ---------------------*- C++ -*-===//
#ifndef BESSEMER_COMPILER_GUARD_H
#define BESSEMER_COMPILER_GUARD_H

#include "bessemer/result.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string_view>

namespace bessemer::compiler {

/// What is compiled, for messages about it.
struct GuardedSource {
  std::string_view fileName, text;
};

/// Runs `work` on a compiler thread (msl/CompilerThread.h). A crash or fatal
/// error of the compiler becomes an Error that says what it was doing, and the
/// source, if any, is saved into the temporary folder for a report; a full
/// stack becomes an Error about the source, and Ctrl-C one of kind Interrupted.
/// `isBroken` tells that what `work` used must neither be used nor destroyed.
Status guarded(std::string_view doing, const GuardedSource &source,
               bool &isBroken, llvm::function_ref<Status()> work);

/// The same on the calling thread, for small steps that cannot recurse deeply.
Status guardedInPlace(std::string_view doing,
                      llvm::function_ref<Status()> work);

} // namespace bessemer::compiler

#endif // BESSEMER_COMPILER_GUARD_H
