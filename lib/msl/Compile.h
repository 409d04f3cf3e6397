//===- Compile.h - Metal source to kernel IR --------------------*- C++ -*-===//
#ifndef BESSEMER_MSL_COMPILE_H
#define BESSEMER_MSL_COMPILE_H

#include "bessemer/compiler.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace bessemer::msl {

class ParsedSource;

/// The kernels that a compilation makes code for.
struct CodeRequest {
  /// A source with more kernels gets a reflection only, and template kernels
  /// beyond this number stay without bodies. Then kernels are compiled one by
  /// one, by compileKernel().
  size_t mostKernels = 64;
  std::string only; ///< The name of the one kernel; empty for all.
};

/// Kernel IR as design says: one function per kernel, named after its host
/// name, one IR parameter per reflected argument, thread attributes as bsm.*
/// calls, not optimised, line tables kept.
struct CompiledSource {
  /// Null if the source has more kernels than asked for: `reflection` then does
  /// not know what kernels use of the machine.
  std::unique_ptr<llvm::Module> module;
  Reflection reflection;
  std::vector<Diagnostic> diagnostics;
  /// Set if `module` is null. Keeps all that Clang knows of the source, since
  /// reading it again for each kernel would take longer than all else.
  std::shared_ptr<ParsedSource> parsed;
};

/// Compiles `source` into `context`. On failure the Error's message is the
/// rendered diagnostics; `diagnostics` receives them as objects either way.
Result<CompiledSource> compile(std::string_view source,
                               const CompileOptions &options,
                               llvm::LLVMContext &context,
                               std::vector<Diagnostic> &diagnostics,
                               const CodeRequest &code = {});

/// The code of one kernel of a source that has too many; the reflection holds
/// that kernel alone. On a compiler thread only.
Result<CompiledSource> compileKernel(ParsedSource &parsed,
                                     std::string_view kernel,
                                     llvm::LLVMContext &context,
                                     std::vector<Diagnostic> &diagnostics);

/// An Error if the kernel's code in `module` uses function constants that got
/// no value: it has zeros for them.
Status checkConstants(const llvm::Module &module, const KernelInfo &kernel);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_COMPILE_H
