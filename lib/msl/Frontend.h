//===- Frontend.h - Clang over one Metal source -----------------*- C++ -*-===//
#ifndef BESSEMER_MSL_FRONTEND_H
#define BESSEMER_MSL_FRONTEND_H

#include "bessemer/compiler.h"
#include "msl/Compile.h"
#include "msl/Reflection.h"

#include <memory>

namespace clang {
class CompilerInvocation;
class DiagnosticConsumer;
} // namespace clang
namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace bessemer::msl {

/// Clang's own output for a source: not yet kernel IR.
struct ParsedSource {
  bool hasErrors = true;
  bool needsEdits = false; ///< The errors may go with another reading.
  std::unique_ptr<llvm::Module> module; ///< Null after errors or without code.
  ReflectedSource reflected;
};

/// The settings of Clang for `options`; see Invocation.cpp.
std::shared_ptr<clang::CompilerInvocation>
createInvocation(const CompileOptions &options);

/// Parses `source` and generates the LLVM IR that `code` asks for. Messages go
/// to `diagnostics`.
ParsedSource parse(std::string_view source, const CompileOptions &options,
                   llvm::LLVMContext &context, const CodeRequest &code,
                   std::vector<Diagnostic> &diagnostics);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_FRONTEND_H
