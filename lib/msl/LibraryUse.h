//===- LibraryUse.h - Whether a source includes the library -----*- C++ -*-===//
#ifndef BESSEMER_MSL_LIBRARYUSE_H
#define BESSEMER_MSL_LIBRARYUSE_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class DiagnosticsEngine;
class Preprocessor;
class Token;
} // namespace clang

namespace bessemer::msl {

/// The standard library is there without an #include, as in Metal's run-time
/// compiler. Other compilers of Metal want one: a source that names the library
/// without it gets a warning.
class LibraryUse {
public:
  /// Watches includes; `this` must outlive the preprocessor.
  void watch(clang::Preprocessor &preprocessor);
  /// Sees each token on its way to the parser.
  void see(const clang::Token &token);
  /// Says at the end of the source what it lacks.
  void report(clang::DiagnosticsEngine &engine) const;

private:
  class Watch;
  bool isIncluded = false;
  clang::SourceLocation firstUse;
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_LIBRARYUSE_H
