//===- Diagnostics.cpp - Clang's messages as the user's -------------------===//
#include "msl/Diagnostics.h"

#include "msl/Attributes.h"
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
                                         SourceEdits &edits)
    : diagnostics(diagnostics), source(source), edits(edits) {
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

/// Clang's spellings and the user's. Longer ones first.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> words[] = {
    {"const __constant", "constant"},
    {"__constant", "constant"},
    {"__global", "device"},
    {"__local", "threadgroup"},
    {"__private", "thread"},
    {"_Float16", "half"},
    {"__bsm_", ""},
    {"'Kernel'", "'kernel'"},
    {"'Threadgroup'", "'threadgroup'"},
    {" in C++ for OpenCL", " in Metal"},
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

/// "extents<int, 18446744073709551615, ...>" is a tensor's dextents<int, N>.
static std::string dynamicExtents(std::string text) {
  static constexpr llvm::StringLiteral dynamic = ", 18446744073709551615";
  static constexpr llvm::StringLiteral name = "metal::extents<";
  for (size_t at = 0; (at = text.find(name.data(), at)) != std::string::npos;
       ++at) {
    llvm::StringRef list = llvm::StringRef(text).drop_front(at + name.size());
    list = list.take_until([](char character) { return character == '>'; });
    llvm::StringRef index = list.split(",").first;
    unsigned rank = list.count(dynamic);
    if (rank == 0 || list.size() != index.size() + rank * dynamic.size())
      continue;
    std::string type = "dextents<" + index.str() + ", " + std::to_string(rank);
    text.replace(at, name.size() + list.size(), type);
  }
  return text;
}

static bool isWordCharacter(char character) {
  return llvm::isAlnum(character) || character == '_';
}

/// "'T' (aka 'T')" is "'T'".
static std::string withoutRepetition(std::string text) {
  static constexpr llvm::StringLiteral aka = " (aka '";
  for (size_t at = 0; (at = text.find(aka.data(), at)) != std::string::npos;) {
    size_t end = text.find("')", at + aka.size());
    llvm::StringRef name = llvm::StringRef(text).slice(at + aka.size(), end);
    if (end != std::string::npos &&
        llvm::StringRef(text).take_front(at).ends_with(
            ("'" + name + "'").str()))
      text.erase(at, end + 2 - at);
    else
      at += aka.size();
  }
  return text;
}

/// Inside quotes Clang's `float` is Metal's bfloat and its `double` Metal's
/// float (Target.cpp).
static std::string metalFloats(llvm::StringRef text, bool isQuoted = false) {
  std::string result;
  while (!text.empty()) {
    llvm::StringRef word = text.take_while(isWordCharacter);
    if (word.empty()) {
      isQuoted ^= text.front() == '\'';
      result += text.front();
      text = text.drop_front();
      continue;
    }
    text = text.drop_front(word.size());
    bool isFloat = isQuoted && word == "float";
    bool isDouble = isQuoted && word == "double";
    result += isFloat ? "bfloat" : isDouble ? "float" : word;
  }
  return result;
}

std::string msl::metalName(llvm::StringRef text) {
  return dynamicExtents(metalWords(metalFloats(text, /*isQuoted=*/true)));
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
  if (info.getID() == clang::diag::warn_stack_exhausted)
    return "this nests too deeply; split it";
  llvm::SmallString<256> text;
  info.FormatDiagnostic(text);
  if (text.starts_with("unknown attribute '"))
    return unknownAttribute(text);
  // The one message about `double` itself.
  if (info.getID() == clang::diag::err_unavailable_message)
    return metalWords(text);
  return withoutRepetition(dynamicExtents(metalWords(metalFloats(text))));
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
void DiagnosticCollector::findEdits(const clang::Diagnostic &info) {
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
    hasNewEdits |=
        edits.copyOperand(info.getSourceManager(), *languageOptions, operand);
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
  findEdits(info);
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
  diagnostic.message = messageOf(info);
  // Nothing after a missing piece of the library means what it says.
  if (missesLibrary)
    return;
  missesLibrary = info.getID() == clang::diag::err_unavailable_message &&
                  llvm::StringRef(diagnostic.message).contains("supported");
  diagnostics.push_back(std::move(diagnostic));
}
