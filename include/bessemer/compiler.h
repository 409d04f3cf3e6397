//===- compiler.h - Metal source to libraries -------------------*- C++ -*-===//
//
// Compiling Metal source. The compiler half (Clang, LLVM, MLIR) is a separate
// shared library, loaded on the first call; a program that only runs compiled
// libraries and assets never loads it.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_COMPILER_H
#define BESSEMER_COMPILER_H

#include "bessemer/reflection.h"
#include "bessemer/result.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bessemer {

/// Metal's math modes; Relaxed is the default of Apple silicon.
enum class MathMode : uint8_t { Safe = 0, Relaxed = 1, Fast = 2 };

struct CompileOptions {
  std::string fileName = "<source>"; ///< Shown in diagnostics.
  unsigned firstLine = 1;            ///< Line of the source's first line.
  std::vector<std::string> includeDirs;
  std::vector<std::pair<std::string, std::string>> defines;
  MathMode math = MathMode::Relaxed;
  std::string language = "4.0";
  /// Values by index, as the bits of the constant's type.
  std::map<unsigned, uint64_t> functionConstants;
};

/// Compiled source: kernel IR and reflection, machine code on demand.
/// A cheap handle; copies share one library. Thread-safe.
class BESSEMER_API Library {
public:
  const Reflection &reflection() const;
  const std::vector<Diagnostic> &diagnostics() const; ///< Warnings and notes.

  /// What `bessemer compile --emit` prints. `form`: "ir", "llvm", "asm" or
  /// "object"; `groupSize` {0,0,0}: the body for any threadgroup shape.
  /// `target`: "cpu" or "nvidia:<architecture>", which has "ptx" in place of
  /// "asm" and "object". `completeGroups`: only for grids without groups that
  /// are cut at the edge, as a dispatch of such a grid uses it.
  Result<std::string> emit(std::string_view kernel, std::string_view form,
                           std::array<uint32_t, 3> groupSize = {},
                           std::string_view target = "cpu",
                           bool completeGroups = false) const;

  struct Impl;
  explicit Library(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  const std::shared_ptr<Impl> &handle() const { return impl; }

private:
  std::shared_ptr<Impl> impl;
};

/// A failed compilation: the error and what the front end said.
struct CompileFailure {
  Error error; ///< kind Compile; message holds every rendered diagnostic.
  std::vector<Diagnostic> diagnostics;
};

/// Compiles `source`. On failure returns an Error of kind Compile and, if
/// `failure` is given, the diagnostics as objects.
BESSEMER_API Result<Library> compile(std::string_view source,
                                     const CompileOptions &options,
                                     CompileFailure *failure = nullptr);

} // namespace bessemer

#endif // BESSEMER_COMPILER_H
