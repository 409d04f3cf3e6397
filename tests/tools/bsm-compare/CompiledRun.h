//===- CompiledRun.h - Runs machine code of a kernel ------------*- C++ -*-===//
#ifndef BESSEMER_TESTS_TOOLS_COMPILEDRUN_H
#define BESSEMER_TESTS_TOOLS_COMPILEDRUN_H

#include "Setup.h"
#include "codegen/cpu/Compile.h"

namespace bessemer::testing {

/// Compiles the setup's kernel with `options` and runs the whole grid on the
/// calling thread. An out-of-range tensor index is an ErrorKind::Fault.
Status runCompiled(Setup &setup, const codegen::cpu::Options &options);

} // namespace bessemer::testing

#endif // BESSEMER_TESTS_TOOLS_COMPILEDRUN_H
