//===- Diagnostic.cpp - Rendering and JSON of diagnostics -----------------===//
#include "bessemer/reflection.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace bessemer;
using nlohmann::json;

static constexpr std::array<std::string_view, 3> severityNames{
    "error", "warning", "note"};

/// A line longer than this is cut.
static constexpr unsigned longestExcerpt = 160;
static constexpr std::string_view ellipsis = "...";

static bool continuesCharacter(char byte) { return (byte & 0xc0) == 0x80; }

/// The line and below it the caret: blanks (tabs kept, so that columns line
/// up), `~` over the range, `^` at the column.
static std::string excerpt(const Diagnostic &diagnostic) {
  std::string_view line = diagnostic.sourceLine;
  unsigned at = diagnostic.location.column - diagnostic.firstColumn;
  size_t begin = 0, end = line.size();
  if (end > longestExcerpt) {
    begin = at > longestExcerpt / 2 ? at - longestExcerpt / 2 : 0;
    begin = std::min(begin, end - longestExcerpt);
    end = begin + longestExcerpt;
  }
  while (begin > 0 && continuesCharacter(line[begin]))
    --begin;
  while (end < line.size() && continuesCharacter(line[end]))
    ++end;
  bool isCutBefore = begin > 0 || diagnostic.firstColumn > 1;
  std::string text(isCutBefore ? ellipsis : ""), caret(text.size(), ' ');
  text += line.substr(begin, end - begin);
  if (end < line.size())
    text += ellipsis;
  auto [first, last] = diagnostic.range;
  size_t stop = std::max<size_t>(at + 1, std::min<size_t>(last, end));
  for (size_t i = begin; i < stop; ++i) {
    unsigned column = i + diagnostic.firstColumn;
    bool inRange = first && column >= first && column <= last;
    bool isTab = i < line.size() && line[i] == '\t';
    caret += i == at ? '^' : inRange ? '~' : isTab ? '\t' : ' ';
  }
  return text + "\n" + caret;
}

std::string bessemer::toString(const Diagnostic &diagnostic) {
  const SourceLocation &at = diagnostic.location;
  std::string text;
  if (at.line)
    text = at.file + ":" + std::to_string(at.line) + ":" +
           std::to_string(at.column) + ": ";
  text += severityNames[static_cast<size_t>(diagnostic.severity)];
  text += ": " + diagnostic.message;
  if (!diagnostic.sourceLine.empty() && at.column >= diagnostic.firstColumn)
    text += "\n" + excerpt(diagnostic);
  for (const std::string &fix : diagnostic.fixIts)
    text += "\n  fix: " + fix;
  return text;
}

std::string bessemer::toJson(const std::vector<Diagnostic> &diagnostics) {
  json list = json::array();
  for (const Diagnostic &d : diagnostics)
    list.push_back({{"severity", static_cast<unsigned>(d.severity)},
                    {"message", d.message},
                    {"file", d.location.file},
                    {"line", d.location.line},
                    {"column", d.location.column},
                    {"source_line", d.sourceLine},
                    {"first_column", d.firstColumn},
                    {"range", d.range},
                    {"fix_its", d.fixIts}});
  return list.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<std::vector<Diagnostic>>
bessemer::diagnosticsFromJson(std::string_view text) {
  try {
    std::vector<Diagnostic> diagnostics;
    for (const json &entry : json::parse(text)) {
      Diagnostic d;
      d.severity = static_cast<Diagnostic::Severity>(
          std::min(entry.at("severity").get<unsigned>(), 2u));
      entry.at("message").get_to(d.message);
      entry.at("file").get_to(d.location.file);
      entry.at("line").get_to(d.location.line);
      entry.at("column").get_to(d.location.column);
      entry.at("source_line").get_to(d.sourceLine);
      entry.at("first_column").get_to(d.firstColumn);
      entry.at("range").get_to(d.range);
      entry.at("fix_its").get_to(d.fixIts);
      diagnostics.push_back(std::move(d));
    }
    return diagnostics;
  } catch (const json::exception &e) {
    return makeError(ErrorKind::Corrupt,
                     std::string("diagnostics are not valid: ") + e.what());
  }
}
