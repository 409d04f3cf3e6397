//===- Diagnostic.cpp - Rendering and JSON of diagnostics -----------------===//
#include "bessemer/reflection.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace bessemer;
using nlohmann::json;

static constexpr std::array<std::string_view, 3> severityNames{
    "error", "warning", "note"};

/// The caret line: blanks (tabs kept, so that columns line up), `~` over the
/// range, `^` at the column.
static std::string caretLine(const Diagnostic &diagnostic) {
  std::string caret;
  unsigned last = std::max(diagnostic.location.column, diagnostic.range[1]);
  for (unsigned column = 1; column <= last; ++column) {
    bool inRange = diagnostic.range[0] && column >= diagnostic.range[0] &&
                   column <= diagnostic.range[1];
    bool isTab = column <= diagnostic.sourceLine.size() &&
                 diagnostic.sourceLine[column - 1] == '\t';
    caret += column == diagnostic.location.column ? '^'
             : inRange                            ? '~'
             : isTab                              ? '\t'
                                                  : ' ';
  }
  return caret;
}

std::string bessemer::toString(const Diagnostic &diagnostic) {
  const SourceLocation &at = diagnostic.location;
  std::string text;
  if (at.line)
    text = at.file + ":" + std::to_string(at.line) + ":" +
           std::to_string(at.column) + ": ";
  text += severityNames[static_cast<size_t>(diagnostic.severity)];
  text += ": " + diagnostic.message;
  if (!diagnostic.sourceLine.empty() && at.column)
    text += "\n" + diagnostic.sourceLine + "\n" + caretLine(diagnostic);
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
