//===- Diagnostics.h - Clang's messages as the user's -----------*- C++ -*-===//
#ifndef BESSEMER_MSL_DIAGNOSTICS_H
#define BESSEMER_MSL_DIAGNOSTICS_H

#include "msl/Ambiguities.h"

#include "bessemer/reflection.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <vector>

namespace clang {
class ASTContext;
class CompilerInstance;
} // namespace clang

namespace bessemer::msl {

class SourceEdits;

/// Where `location` is for the user: the place in their own text, whatever
/// macros lead there. line = 0 in built-in headers or without a location.
SourceLocation userLocation(const clang::SourceManager &sources,
                            clang::SourceLocation location);

/// Clang's name of a type or function in Metal's words.
std::string metalName(llvm::StringRef text);

/// Turns Clang's diagnostics into ours: Metal's words, the user's locations and
/// text, nothing that points into the built-in headers.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
  /// Errors that another reading of the source avoids go into `edits`.
  DiagnosticCollector(std::vector<Diagnostic> &diagnostics,
                      llvm::StringRef source, SourceEdits &edits,
                      clang::CompilerInstance &compiler);
  ~DiagnosticCollector() override;

  /// Whether another reading avoids some of the errors. `context` is the syntax
  /// tree of this one.
  bool findEdits(const clang::ASTContext &context);

  void BeginSourceFile(const clang::LangOptions &options,
                       const clang::Preprocessor *) override {
    languageOptions = &options;
  }
  void EndSourceFile() override { languageOptions = nullptr; }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override;

private:
  void findCopies(const clang::Diagnostic &info);
  void place(Diagnostic &diagnostic, const clang::Diagnostic &info) const;
  std::string sourceLine(const clang::SourceManager &sources,
                         clang::SourceLocation location) const;

  std::string wordAt(const clang::Diagnostic &info) const;
  bool follows(const clang::Diagnostic &info, const Diagnostic &diagnostic);

  std::vector<Diagnostic> &diagnostics;
  llvm::StringRef source; ///< The main file before the pre-pass.
  SourceEdits &edits;
  clang::CompilerInstance &compiler;
  llvm::StringSet<> unknown; ///< What was said about unknown names.
  unsigned unknownLine = 0;  ///< Of the last one.
  bool hasLeftOut = false;   ///< The last error.
  unsigned warnings = 0;
  Ambiguities ambiguities;
  bool hasNewEdits = false;
  bool missesLibrary = false; ///< The source uses what there is not.
  const clang::LangOptions *languageOptions = nullptr;
  /// The last error or warning points into a built-in header and waits for a
  /// note that says where the user caused it.
  bool waitsForLocation = false;
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_DIAGNOSTICS_H
