//===- LibraryUse.cpp - Whether a source includes the library -------------===//
#include "msl/LibraryUse.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"

using namespace bessemer::msl;
using namespace clang;

class LibraryUse::Watch : public PPCallbacks {
public:
  Watch(LibraryUse &use, DiagnosticsEngine &engine)
      : use(use), engine(engine) {}

  void InclusionDirective(SourceLocation, const Token &, llvm::StringRef name,
                          bool, CharSourceRange, OptionalFileEntryRef,
                          llvm::StringRef, llvm::StringRef, const Module *,
                          bool, SrcMgr::CharacteristicKind) override {
    use.isIncluded |= name.starts_with("metal_") || name.starts_with("simd/") ||
                      name.starts_with("MetalPerformancePrimitives");
  }

  void EndOfMainFile() override {
    if (use.isIncluded || use.firstUse.isInvalid())
      return;
    engine.Report(use.firstUse,
                  engine.getCustomDiagID(
                      DiagnosticsEngine::Warning,
                      "the standard library is used but not included; write"
                      " '#include <metal_stdlib>' first"));
  }

private:
  LibraryUse &use;
  DiagnosticsEngine &engine;
};

void LibraryUse::watch(Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(
      std::make_unique<Watch>(*this, preprocessor.getDiagnostics()));
}

void LibraryUse::see(const Token &token) {
  if (firstUse.isInvalid() && token.is(tok::identifier) &&
      token.getIdentifierInfo() && token.getIdentifierInfo()->isStr("metal"))
    firstUse = token.getLocation();
}
