//===- MetalPragmas.cpp - #pragma METAL -----------------------------------===//
#include "msl/MetalPragmas.h"

#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace bessemer;
using namespace clang;

namespace {

class FloatPragma : public PragmaHandler {
public:
  FloatPragma() : PragmaHandler("fp") {}
  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token &first) override;
};

} // namespace

/// The operand of `clang fp` for `option(value)`; empty if there is none.
static llvm::StringRef clangOption(llvm::StringRef option,
                                   llvm::StringRef value) {
  return llvm::StringSwitch<llvm::StringRef>((option + " " + value).str())
      .Case("math_mode safe", "reassociate(off) reciprocal(off) contract(on)")
      .Cases({"math_mode relaxed", "math_mode fast"},
             "reassociate(on) reciprocal(on) contract(fast)")
      .Case("contract off", "contract(off)")
      .Case("contract on", "contract(on)")
      .Case("contract fast", "contract(fast)")
      .Default("");
}

/// Has the preprocessor read `_Pragma("clang fp OPTION")` next.
static void enterPragma(Preprocessor &preprocessor, llvm::StringRef option,
                        SourceLocation location) {
  auto tokens = std::make_unique<Token[]>(4);
  for (unsigned i = 0; i < 4; ++i) {
    tokens[i].startToken();
    tokens[i].setLocation(location);
  }
  tokens[0].setKind(tok::identifier);
  tokens[0].setIdentifierInfo(preprocessor.getIdentifierInfo("_Pragma"));
  tokens[1].setKind(tok::l_paren);
  tokens[2].setKind(tok::string_literal);
  preprocessor.CreateString(("\"clang fp " + option + "\"").str(), tokens[2],
                            location, location);
  tokens[3].setKind(tok::r_paren);
  preprocessor.EnterTokenStream(std::move(tokens), 4,
                                /*DisableMacroExpansion=*/false,
                                /*IsReinject=*/false);
}

void FloatPragma::HandlePragma(Preprocessor &preprocessor,
                               PragmaIntroducer introducer, Token &first) {
  llvm::SmallVector<std::string> words;
  Token token;
  for (preprocessor.Lex(token); token.isNot(tok::eod); preprocessor.Lex(token))
    words.push_back(preprocessor.getSpelling(token));
  llvm::StringRef option;
  if (words.size() == 4 && words[1] == "(" && words[3] == ")")
    option = clangOption(words[0], words[2]);
  if (!option.empty()) {
    enterPragma(preprocessor, option, introducer.Loc);
    return;
  }
  DiagnosticsEngine &engine = preprocessor.getDiagnostics();
  engine.Report(first.getLocation(),
                engine.getCustomDiagID(
                    DiagnosticsEngine::Error,
                    "#pragma METAL fp takes math_mode(safe|relaxed|fast) or"
                    " contract(off|on|fast)"));
}

void msl::addMetalPragmas(Preprocessor &preprocessor) {
  preprocessor.AddPragmaHandler("METAL", new FloatPragma);
}
