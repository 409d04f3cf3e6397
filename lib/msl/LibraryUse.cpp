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
  explicit Watch(LibraryUse &use) : use(use) {}

  void InclusionDirective(SourceLocation, const Token &, llvm::StringRef name,
                          bool, CharSourceRange, OptionalFileEntryRef,
                          llvm::StringRef, llvm::StringRef, const Module *,
                          bool, SrcMgr::CharacteristicKind) override {
    use.isIncluded |= name.starts_with("metal_") || name.starts_with("simd/") ||
                      name.starts_with("MetalPerformancePrimitives");
  }

private:
  LibraryUse &use;
};

void LibraryUse::watch(Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<Watch>(*this));
}

void LibraryUse::see(const Token &token) {
  if (firstUse.isInvalid() && token.is(tok::identifier) &&
      token.getIdentifierInfo() && token.getIdentifierInfo()->isStr("metal"))
    firstUse = token.getLocation();
}

void LibraryUse::report(DiagnosticsEngine &engine) const {
  if (isIncluded || firstUse.isInvalid())
    return;
  engine.Report(firstUse, engine.getCustomDiagID(
                              DiagnosticsEngine::Warning,
                              "the standard library is used but not included;"
                              " write '#include <metal_stdlib>' first"));
}
