//===- Frontend.h - Clang over one Metal source -----------------*- C++ -*-===//
#ifndef BESSEMER_MSL_FRONTEND_H
#define BESSEMER_MSL_FRONTEND_H

#include "bessemer/compiler.h"
#include "msl/Compile.h"
#include "msl/Reflection.h"

#include <memory>

namespace clang {
class CompilerInvocation;
} // namespace clang
namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace bessemer::msl {

class SourceEdits;

/// The settings of Clang for `options`; see Invocation.cpp.
std::shared_ptr<clang::CompilerInvocation>
createInvocation(const CompileOptions &options);

struct Reading;

/// A source that Clang has read. Its syntax tree lives as long, so that the
/// code of single kernels can be made at any time.
class ParsedSource {
public:
  /// Template kernels beyond `mostKernels` stay without bodies.
  ParsedSource(std::string_view source, const CompileOptions &options,
               size_t mostKernels);
  ~ParsedSource();

  bool hasErrors() const;
  /// The messages of the reading, or of the last wantOnly().
  const std::vector<Diagnostic> &diagnostics() const;
  const ReflectedSource &reflected() const;
  /// The line at `location` of the main file; empty elsewhere.
  std::string lineOf(const SourceLocation &location) const;

  /// Gives the kernel its body and leaves the others without code; null if the
  /// body has errors.
  const KernelRecord *wantOnly(std::string_view kernel);

  /// Fills in the function constants that kernels use, but that have no value.
  void findMissingConstants(std::vector<KernelRecord> &kernels);

  /// Clang's code of the kernels that are wanted: not yet kernel IR. Null after
  /// errors.
  std::unique_ptr<llvm::Module> generate(llvm::LLVMContext &context);

private:
  void read();

  std::string source;
  CompileOptions options;
  size_t mostKernels;
  std::unique_ptr<SourceEdits> edits;
  std::unique_ptr<Reading> reading;
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_FRONTEND_H
