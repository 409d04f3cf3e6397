//===- SourceLimits.cpp - What a source may cost --------------------------===//
#include "msl/SourceLimits.h"

#include "msl/CompilerThread.h"
#include "support/Cancellation.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/TemplateInstCallback.h"

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

// The largest public kernel sources have a tenth of these.
static constexpr unsigned mostTokens = 4'000'000;
static constexpr unsigned mostFiles = 10'000;
static constexpr unsigned mostMacros = 2'000'000;
static constexpr uint64_t mostMacroTokens = 10'000'000;
static constexpr unsigned mostInstantiations = 200'000;
// A token makes at most one level of the syntax tree, and no part of the
// compiler needs more than 16 KiB of stack for a level (CompilerThread.cpp).
static constexpr unsigned mostOpenTokens = 20'000;
// Nested statements cost code generation time that grows faster than they do.
static constexpr unsigned mostOpenControls = 1'000;

namespace {

class PreprocessorWatch : public PPCallbacks {
public:
  explicit PreprocessorWatch(SourceLimits &limits) : limits(limits) {}
  void FileChanged(clang::SourceLocation location, FileChangeReason reason,
                   SrcMgr::CharacteristicKind, FileID) override {
    if (reason == EnterFile || reason == ExitFile)
      limits.countFile(location);
  }
  void MacroExpands(const Token &name, const MacroDefinition &, SourceRange,
                    const MacroArgs *arguments) override {
    unsigned tokens = 0;
    for (unsigned i = 0; arguments && i < arguments->getNumMacroArguments();
         ++i)
      tokens += MacroArgs::getArgLength(arguments->getUnexpArgument(i));
    limits.countMacro(name, tokens);
  }

private:
  SourceLimits &limits;
};

class TemplateWatch : public TemplateInstantiationCallback {
public:
  explicit TemplateWatch(SourceLimits &limits) : limits(limits) {}
  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}
  void atTemplateBegin(const Sema &,
                       const Sema::CodeSynthesisContext &context) override {
    if (context.Kind == Sema::CodeSynthesisContext::TemplateInstantiation)
      limits.countInstantiation(context.PointOfInstantiation);
  }
  void atTemplateEnd(const Sema &,
                     const Sema::CodeSynthesisContext &) override {}

private:
  SourceLimits &limits;
};

} // namespace

SourceLimits::SourceLimits(CompilerInstance &compiler)
    : compiler(compiler), brackets(1) {}

void SourceLimits::watchPreprocessor() {
  compiler.getPreprocessor().addPPCallbacks(
      std::make_unique<PreprocessorWatch>(*this));
}

void SourceLimits::watchTemplates(Sema &sema) {
  sema.TemplateInstCallbacks.push_back(std::make_unique<TemplateWatch>(*this));
}

/// A fatal error: after it Clang says and instantiates nothing more.
void SourceLimits::stop(clang::SourceLocation location,
                        llvm::StringRef message) {
  if (hasStopped)
    return;
  hasStopped = true;
  DiagnosticsEngine &engine = compiler.getDiagnostics();
  engine.Report(location,
                engine.getCustomDiagID(DiagnosticsEngine::Fatal, "%0"))
      << message;
}

void SourceLimits::countFile(clang::SourceLocation location) {
  if (++files > mostFiles || isCancelled())
    stop(location, "the source includes more than 10000 files");
  if (!hasStopped)
    return;
  // Nothing more of this file is read.
  auto *lexer =
      static_cast<Lexer *>(compiler.getPreprocessor().getCurrentFileLexer());
  if (!lexer)
    return;
  llvm::StringRef text =
      compiler.getSourceManager().getBufferData(lexer->getFileID());
  lexer->seek(text.size(), /*IsAtStartOfLine=*/true);
}

void SourceLimits::countMacro(const Token &name, unsigned arguments) {
  macroTokens += arguments;
  if (++macros > mostMacros || (macros % 1024 == 0 && isCancelled()))
    stop(name.getLocation(), "the source uses macros more than 2000000 times");
  if (macroTokens > mostMacroTokens)
    stop(name.getLocation(),
         "the arguments of macros have more than 10000000 tokens in all");
  if (!hasStopped)
    return;
  // No macro is expanded more than once again.
  Preprocessor &preprocessor = compiler.getPreprocessor();
  preprocessor.appendMacroDirective(
      name.getIdentifierInfo(), new (preprocessor.getPreprocessorAllocator())
                                    UndefMacroDirective(name.getLocation()));
}

void SourceLimits::restart() {
  instantiations = 0;
  hasStopped = false;
}

void SourceLimits::countInstantiation(clang::SourceLocation location) {
  if (++instantiations > mostInstantiations ||
      (instantiations % 128 == 0 && isCancelled()))
    stop(location, "the source needs more than 200000 template instantiations");
}

void SourceLimits::see(Token &token) {
  // A fatal error of Clang's, such as one of too many, ends the reading too.
  hasStopped |= compiler.getDiagnostics().hasFatalErrorOccurred();
  if (!hasStopped && token.isNot(tok::eof)) {
    if (token.isAtStartOfLine() && token.getLocation().isFileID())
      noteLine(compiler.getSourceManager().getPresumedLineNumber(
          token.getLocation()));
    if (++tokens > mostTokens || (tokens % 1024 == 0 && isCancelled()))
      stop(token.getLocation(),
           "the source has more than 4000000 tokens when its macros are"
           " expanded");
    nest(token);
    previous = token.getKind();
  }
  if (hasStopped)
    token.setKind(tok::eof);
}

/// Whether `{` after the previous token begins a list of values.
bool SourceLimits::beginsList() const {
  switch (previous) {
  case tok::equal:
  case tok::comma:
  case tok::l_paren:
  case tok::l_square:
  case tok::identifier:
  case tok::greater:
  case tok::r_square:
  case tok::kw_return:
    return true;
  case tok::l_brace:
    return brackets.back().kind == Bracket::List;
  default:
    return false;
  }
}

void SourceLimits::open(Bracket::Kind kind) { brackets.push_back({kind}); }

void SourceLimits::close() {
  if (brackets.size() == 1)
    return;
  openTokens -= brackets.back().tokens;
  openControls -= brackets.back().controls;
  brackets.pop_back();
}

void SourceLimits::endStatement() {
  Bracket &bracket = brackets.back();
  openTokens -= bracket.tokens;
  openControls -= bracket.controls;
  bracket.lastControls = bracket.controls;
  bracket.tokens = bracket.controls = bracket.elements = 0;
}

/// Values of a list lie side by side, whatever their number; operands of the
/// comma operator and declarators, which look the same, lie in each other.
void SourceLimits::endElement() {
  Bracket &bracket = brackets.back();
  ++bracket.elements;
  if (bracket.kind == Bracket::List) {
    endStatement();
  } else if (bracket.kind == Bracket::Parentheses) {
    unsigned elements = bracket.elements;
    endStatement();
    bracket.elements = bracket.tokens = elements;
    openTokens += elements;
  } else {
    count(0);
  }
}

void SourceLimits::count(unsigned controls) {
  ++brackets.back().tokens;
  ++openTokens;
  brackets.back().controls += controls;
  openControls += controls;
}

void SourceLimits::nest(const Token &token) {
  switch (token.getKind()) {
  case tok::l_paren:
  case tok::l_square:
    count(0);
    open(Bracket::Parentheses);
    break;
  case tok::l_brace: {
    count(0);
    open(beginsList() ? Bracket::List : Bracket::Block);
    break;
  }
  case tok::r_paren:
  case tok::r_square:
    close();
    break;
  case tok::r_brace: {
    bool wasBlock = brackets.back().kind == Bracket::Block;
    close();
    if (wasBlock)
      endStatement();
    break;
  }
  case tok::semi:
    endStatement();
    break;
  case tok::comma:
    endElement();
    break;
  case tok::kw_else:
    // The `if` before it is not over yet.
    count(brackets.back().lastControls + 1);
    break;
  case tok::kw_if:
  case tok::kw_for:
  case tok::kw_while:
  case tok::kw_do:
  case tok::kw_switch:
    count(1);
    break;
  default:
    count(0);
  }
  if (openTokens > mostOpenTokens)
    stop(token.getLocation(), "this statement has more than 20000 tokens when"
                              " its macros are expanded; split it");
  else if (openControls > mostOpenControls)
    stop(token.getLocation(),
         "more than 1000 statements lie in each other ('else if' counts); use"
         " a table, a switch or functions");
}
