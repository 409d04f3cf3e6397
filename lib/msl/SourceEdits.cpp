//===- SourceEdits.cpp - Expressions to be read differently ---------------===//
#include "msl/SourceEdits.h"

#include "clang/Lex/Lexer.h"

using namespace bessemer::msl;
using namespace clang;

static constexpr llvm::StringLiteral closing = ")";

static std::string fileName(const SourceManager &sources, FileID file) {
  if (file == sources.getMainFileID())
    return {};
  OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  return entry ? entry->getName().str() : std::string("<no file>");
}

/// One level closer to the file: from a token that a macro made to the place
/// that uses the macro or its parameter.
static SourceLocation callerOf(const SourceManager &sources,
                               SourceLocation location, bool isEnd) {
  CharSourceRange range = sources.getImmediateExpansionRange(location);
  return isEnd ? range.getEnd() : range.getBegin();
}

/// Whether both tokens came into a macro through one use of a parameter.
static bool inOneArgument(const SourceManager &sources, SourceLocation begin,
                          SourceLocation end) {
  return begin.isMacroID() && end.isMacroID() &&
         sources.isMacroArgExpansion(begin) &&
         sources.isMacroArgExpansion(end) &&
         sources.getImmediateExpansionRange(begin).getBegin() ==
             sources.getImmediateExpansionRange(end).getBegin();
}

/// Moves both ends to where they are spelled in one file, side by side; false
/// if there is no such place.
static bool moveToFile(const SourceManager &sources, SourceLocation &begin,
                       SourceLocation &end) {
  while (begin.isMacroID() || end.isMacroID()) {
    if (inOneArgument(sources, begin, end)) {
      begin = sources.getImmediateSpellingLoc(begin);
      end = sources.getImmediateSpellingLoc(end);
      continue;
    }
    SourceLocation first = begin, last = end;
    while (sources.getFileID(first) != sources.getFileID(last)) {
      if (first.isMacroID()) {
        first = callerOf(sources, first, /*isEnd=*/false);
      } else if (last.isMacroID()) {
        last = callerOf(sources, last, /*isEnd=*/true);
        first = begin;
      } else {
        return false;
      }
    }
    begin = first.isMacroID() ? sources.getImmediateSpellingLoc(first) : first;
    end = last.isMacroID() ? sources.getImmediateSpellingLoc(last) : last;
  }
  return true;
}

bool SourceEdits::wrap(const SourceManager &sources,
                       const LangOptions &language, CharSourceRange expression,
                       llvm::StringRef function) {
  SourceLocation begin = expression.getBegin(), end = expression.getEnd();
  if (begin.isInvalid() || end.isInvalid() || !moveToFile(sources, begin, end))
    return false;
  auto [file, first] = sources.getDecomposedLoc(begin);
  auto [lastFile, last] = sources.getDecomposedLoc(end);
  if (file != lastFile || last < first || sources.isInSystemHeader(begin))
    return false;
  if (expression.isTokenRange())
    last += Lexer::MeasureTokenLength(end, sources, language);
  Edit edit = {first - inserted(sources, file, 0, first),
               last - inserted(sources, file, 0, last),
               (" " + function + "(").str()};
  std::string name = fileName(sources, file);
  return !edits[name].count(edit) && found[name].insert(edit).second;
}

void SourceEdits::startReading() {
  for (auto &[file, more] : found)
    edits[file].insert(more.begin(), more.end());
  found.clear();
}

std::multimap<size_t, llvm::StringRef>
SourceEdits::insertions(llvm::StringRef file) const {
  std::multimap<size_t, llvm::StringRef> result;
  auto edited = edits.find(file.str());
  if (edited == edits.end())
    return result;
  for (const Edit &edit : edited->second) {
    result.insert({edit.begin, edit.opening});
    result.insert({edit.end, closing});
  }
  return result;
}

std::string SourceEdits::apply(llvm::StringRef file,
                               llvm::StringRef text) const {
  std::string result;
  size_t done = 0;
  for (auto [offset, insertion] : insertions(file)) {
    size_t place = std::min(offset, text.size());
    result += text.slice(done, place);
    result += insertion;
    done = place;
  }
  return result + text.drop_front(done).str();
}

size_t SourceEdits::growth(llvm::StringRef file) const {
  auto edited = edits.find(file.str());
  if (edited == edits.end())
    return 0;
  size_t size = 0;
  for (const Edit &edit : edited->second)
    size += edit.opening.size() + closing.size();
  return size;
}

size_t SourceEdits::inserted(const SourceManager &sources, FileID file,
                             size_t begin, size_t end) const {
  if (edits.empty())
    return 0;
  size_t total = 0, within = 0;
  for (auto [offset, insertion] : insertions(fileName(sources, file))) {
    size_t from = offset + total, to = from + insertion.size();
    total += insertion.size();
    if (from < end && to > begin)
      within += std::min(end, to) - std::max(begin, from);
  }
  return within;
}
