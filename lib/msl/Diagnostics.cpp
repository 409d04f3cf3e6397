//===- Diagnostics.cpp - Clang's messages as the user's -------------------===//
#include "msl/Diagnostics.h"

#include "msl/Attributes.h"
#include "msl/SourceFiles.h"

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/StringExtras.h"

using namespace bessemer;
using namespace bessemer::msl;

static bool isBuiltIn(llvm::StringRef file) {
  return file.starts_with(headerRoot) || file.starts_with("<built-in>") ||
         file.starts_with("<command line>") || file == "<scratch space>";
}

SourceLocation msl::userLocation(const clang::SourceManager &sources,
                                 clang::SourceLocation location) {
  if (location.isInvalid())
    return {};
  clang::PresumedLoc presumed =
      sources.getPresumedLoc(sources.getFileLoc(location));
  if (presumed.isInvalid() || isBuiltIn(presumed.getFilename()))
    return {};
  return {presumed.getFilename(), presumed.getLine(), presumed.getColumn()};
}

/// Clang's spellings and the user's. Longer ones first.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> words[] = {
    {"const __constant", "constant"},
    {"__constant", "constant"},
    {"__global", "device"},
    {"__local", "threadgroup"},
    {"__private", "thread"},
    {"_Float16", "half"},
    {"__bf16", "bfloat"},
    {"__bsm_", ""},
    {"'Kernel'", "'kernel'"},
    {"'Threadgroup'", "'threadgroup'"},
    {"generic address space", "thread address space"},
};

static std::string metalWords(llvm::StringRef text) {
  std::string result = text.str();
  for (auto [from, to] : words)
    for (size_t at = 0;
         (at = result.find(from.data(), at)) != std::string::npos;
         at += to.size())
      result.replace(at, from.size(), to.data(), to.size());
  return result;
}

/// "unknown attribute 'x' ignored" is an error here: it names the parameter's
/// meaning, so nothing can be ignored.
static std::string unknownAttribute(llvm::StringRef message) {
  llvm::StringRef name = message.split('\'').second.split('\'').first;
  std::string text = "unknown attribute '" + name.str() + "'";
  if (llvm::StringRef near = nearestAttribute(name); !near.empty())
    text += "; did you mean '" + near.lower() + "'?";
  return text;
}

static std::string messageOf(const clang::Diagnostic &info) {
  llvm::SmallString<256> text;
  info.FormatDiagnostic(text);
  if (text.starts_with("unknown attribute '"))
    return unknownAttribute(text);
  return metalWords(text);
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
  if (file == sources.getMainFileID() && begin >= text.size() - source.size()) {
    size_t shift = text.size() - source.size();
    text = source;
    begin -= shift;
    end -= shift;
  }
  return text.slice(begin, end).rtrim('\r').str();
}

void DiagnosticCollector::place(Diagnostic &diagnostic,
                                const clang::Diagnostic &info) const {
  const clang::SourceManager &sources = info.getSourceManager();
  clang::SourceLocation at = sources.getFileLoc(info.getLocation());
  diagnostic.sourceLine = sourceLine(sources, at);
  for (const clang::CharSourceRange &range : info.getRanges()) {
    clang::SourceLocation begin = sources.getFileLoc(range.getBegin());
    clang::SourceLocation end = sources.getFileLoc(range.getEnd());
    if (begin.isInvalid() || end.isInvalid() || !languageOptions ||
        sources.getPresumedLineNumber(begin) != diagnostic.location.line ||
        sources.getPresumedLineNumber(end) != diagnostic.location.line)
      continue;
    unsigned last = sources.getPresumedColumnNumber(end);
    if (range.isTokenRange())
      last += clang::Lexer::MeasureTokenLength(end, sources, *languageOptions);
    diagnostic.range = {sources.getPresumedColumnNumber(begin), last - 1};
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

void DiagnosticCollector::HandleDiagnostic(
    clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) {
  using Level = clang::DiagnosticsEngine::Level;
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
  diagnostic.message = messageOf(info);
  diagnostics.push_back(std::move(diagnostic));
}
