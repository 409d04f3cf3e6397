//===- Diagnostics.cpp - Clang's messages as the user's -------------------===//
#include "msl/Diagnostics.h"

#include "msl/Messages.h"
#include "msl/SourceEdits.h"
#include "msl/SourceFiles.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/StringExtras.h"

using namespace bessemer;
using namespace bessemer::msl;

/// The edits of the source that this thread compiles.
static thread_local const SourceEdits *currentEdits = nullptr;

DiagnosticCollector::DiagnosticCollector(std::vector<Diagnostic> &diagnostics,
                                         llvm::StringRef source,
                                         SourceEdits &edits,
                                         clang::CompilerInstance &compiler)
    : diagnostics(diagnostics), source(source), edits(edits),
      compiler(compiler) {
  currentEdits = &edits;
}

DiagnosticCollector::~DiagnosticCollector() { currentEdits = nullptr; }

static bool isBuiltIn(llvm::StringRef file) {
  return file.starts_with(headerRoot) || file.starts_with("<built-in>") ||
         file.starts_with("<command line>") || file == "<scratch space>";
}

/// The column before the edits; 0 without a location.
static unsigned userColumn(const clang::SourceManager &sources,
                           clang::SourceLocation location) {
  location = sources.getFileLoc(location);
  unsigned column = sources.getPresumedColumnNumber(location);
  if (!currentEdits || column == 0)
    return column;
  auto [file, offset] = sources.getDecomposedLoc(location);
  return column -
         currentEdits->inserted(sources, file, offset - (column - 1), offset);
}

SourceLocation msl::userLocation(const clang::SourceManager &sources,
                                 clang::SourceLocation location) {
  if (location.isInvalid())
    return {};
  clang::PresumedLoc presumed =
      sources.getPresumedLoc(sources.getFileLoc(location));
  if (presumed.isInvalid() || isBuiltIn(presumed.getFilename()))
    return {};
  return {presumed.getFilename(), presumed.getLine(),
          userColumn(sources, location)};
}

/// The user's line: from the text before the pre-pass for the main file.
std::string
DiagnosticCollector::sourceLine(const clang::SourceManager &sources,
                                clang::SourceLocation location) const {
  auto [file, offset] = sources.getDecomposedLoc(location);
  llvm::StringRef text = sources.getBufferData(file);
  size_t begin = text.rfind('\n', offset ? offset - 1 : 0);
  if (offset && text[offset - 1] == '\n')
    begin = offset - 1;
  begin = begin == llvm::StringRef::npos || begin >= offset ? 0 : begin + 1;
  if (offset == 0)
    begin = 0;
  size_t end = std::min(text.find('\n', offset), text.size());
  if (file == sources.getMainFileID()) {
    // Before the source's own text stands at most a #line.
    size_t shift = text.size() - edits.growth("") - source.size();
    size_t first = begin - edits.inserted(sources, file, 0, begin);
    if (first >= shift) {
      end -= edits.inserted(sources, file, 0, end) + shift;
      begin = first - shift;
      text = source;
    }
  }
  return text.slice(begin, end).rtrim('\r').str();
}

/// Generated lines may be very long.
static void cutLine(Diagnostic &diagnostic) {
  static constexpr size_t longest = 1000;
  std::string &line = diagnostic.sourceLine;
  if (line.size() <= longest)
    return;
  size_t column = diagnostic.location.column;
  size_t begin = column > longest / 2 ? column - longest / 2 : 0;
  begin = std::min(begin, line.size() - longest);
  // Not within a character.
  while (begin > 0 && (line[begin] & 0xc0) == 0x80)
    --begin;
  line = line.substr(begin, longest);
  diagnostic.firstColumn = begin + 1;
}

void DiagnosticCollector::place(Diagnostic &diagnostic,
                                const clang::Diagnostic &info) const {
  const clang::SourceManager &sources = info.getSourceManager();
  clang::SourceLocation at = sources.getFileLoc(info.getLocation());
  diagnostic.sourceLine = sourceLine(sources, at);
  cutLine(diagnostic);
  for (const clang::CharSourceRange &range : info.getRanges()) {
    clang::SourceLocation begin = sources.getFileLoc(range.getBegin());
    clang::SourceLocation end = sources.getFileLoc(range.getEnd());
    if (begin.isInvalid() || end.isInvalid() || !languageOptions ||
        sources.getPresumedLineNumber(begin) != diagnostic.location.line ||
        sources.getPresumedLineNumber(end) != diagnostic.location.line)
      continue;
    unsigned last = userColumn(sources, end);
    if (range.isTokenRange())
      last += clang::Lexer::MeasureTokenLength(end, sources, *languageOptions);
    diagnostic.range = {userColumn(sources, begin), last - 1};
    break;
  }
  for (const clang::FixItHint &hint : info.getFixItHints()) {
    if (hint.isNull())
      continue;
    diagnostic.fixIts.push_back(hint.CodeToInsert.empty()
                                    ? "remove this"
                                    : "write '" + hint.CodeToInsert + "'");
  }
}

/// `c ? a : b` with objects of one class in different address spaces or of
/// different constness: see SourceEdits.h.
void DiagnosticCollector::findCopies(const clang::Diagnostic &info) {
  if (info.getID() != clang::diag::err_typecheck_cond_incompatible_operands ||
      info.getNumArgs() < 2 || !languageOptions)
    return;
  const clang::CXXRecordDecl *classes[2];
  for (unsigned i : {0u, 1u}) {
    if (info.getArgKind(i) != clang::DiagnosticsEngine::ak_qualtype)
      return;
    auto type = clang::QualType::getFromOpaquePtr(
        reinterpret_cast<void *>(info.getRawArg(i)));
    classes[i] = type->getAsCXXRecordDecl();
  }
  if (!classes[0] || classes[0] != classes[1])
    return;
  for (const clang::CharSourceRange &operand : info.getRanges())
    hasNewEdits |= edits.wrap(info.getSourceManager(), *languageOptions,
                              operand, "::metal::__value");
}

bool DiagnosticCollector::findEdits(const clang::ASTContext &context) {
  hasNewEdits |= ambiguities.resolve(context, edits);
  return hasNewEdits;
}

/// The word of the source at the place of `info`.
std::string DiagnosticCollector::wordAt(const clang::Diagnostic &info) const {
  if (!info.hasSourceManager() || info.getLocation().isInvalid() ||
      !languageOptions)
    return {};
  const clang::SourceManager &sources = info.getSourceManager();
  llvm::SmallString<64> wordBuffer;
  return clang::Lexer::getSpelling(sources.getFileLoc(info.getLocation()),
                                   wordBuffer, sources, *languageOptions)
      .str();
}

/// Whether the error only follows from an earlier one: the parser's confusion
/// behind a name it does not know, the same name once more, and a parameter
/// without the attribute that was misspelt. A note of what is left out is too.
bool DiagnosticCollector::follows(const clang::Diagnostic &info,
                                  const Diagnostic &diagnostic) {
  if (diagnostic.severity == Diagnostic::Severity::Note)
    return hasLeftOut;
  hasLeftOut = false;
  if (diagnostic.severity == Diagnostic::Severity::Warning)
    return false;
  llvm::StringRef message = diagnostic.message;
  bool sameLine = diagnostic.location.line == unknownLine;
  bool isUnknown = message.starts_with("use of undeclared identifier") ||
                   message.starts_with("unknown type name") ||
                   message.starts_with("unknown attribute");
  if (isUnknown) {
    hasLeftOut = !unknown.insert(message).second;
    unknownLine = diagnostic.location.line;
  } else if (sameLine) {
    hasLeftOut = message.starts_with("expected ") ||
                 message.contains(" and no attribute;");
  }
  return hasLeftOut;
}

/// Of a source; their notes come on top. Errors are limited by Clang.
static constexpr unsigned mostWarnings = 50;

void DiagnosticCollector::HandleDiagnostic(
    clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) {
  using Level = clang::DiagnosticsEngine::Level;
  // Advice about options that there are not.
  if (info.getID() == clang::diag::note_bracket_depth ||
      info.getID() == clang::diag::note_template_recursion_depth)
    return;
  // In a cast or a template's argument the word is an address space alone.
  if (info.getID() == clang::diag::warn_attribute_not_on_decl &&
      wordAt(info) == "threadgroup")
    return;
  findCopies(info);
  ambiguities.see(info);
  DiagnosticConsumer::HandleDiagnostic(level, info);
  Diagnostic diagnostic;
  if (info.hasSourceManager())
    diagnostic.location =
        userLocation(info.getSourceManager(), info.getLocation());
  bool located = diagnostic.location.line != 0;
  if (located)
    place(diagnostic, info);
  if (level <= Level::Note || level == Level::Remark) {
    if (!located)
      return;
    if (waitsForLocation) {
      Diagnostic &owner = diagnostics.back();
      owner.location = diagnostic.location;
      owner.sourceLine = diagnostic.sourceLine;
      owner.range = diagnostic.range;
      waitsForLocation = false;
      return;
    }
    diagnostic.severity = Diagnostic::Severity::Note;
  } else {
    diagnostic.severity = level >= Level::Error ? Diagnostic::Severity::Error
                                                : Diagnostic::Severity::Warning;
    // A warning about the built-in headers is none of the user's concern.
    if (!located && diagnostic.severity == Diagnostic::Severity::Warning)
      return;
    waitsForLocation = !located;
  }
  if (diagnostic.severity == Diagnostic::Severity::Warning)
    ++warnings;
  if (diagnostic.severity != Diagnostic::Severity::Error &&
      warnings > mostWarnings)
    return;
  diagnostic.message = messageOf(info, wordAt(info), compiler);
  // Nothing after a missing piece of the library means what it says.
  if (missesLibrary || follows(info, diagnostic))
    return;
  missesLibrary = llvm::StringRef(diagnostic.message)
                      .contains("s are not supported; pass a device buffer");
  diagnostics.push_back(std::move(diagnostic));
}
