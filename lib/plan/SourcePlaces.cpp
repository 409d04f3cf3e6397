//===- SourcePlaces.cpp - Messages in the user's terms --------------------===//
#include "plan/SourcePlaces.h"

#include <algorithm>
#include <charconv>

using namespace bessemer;
using namespace bessemer::plan;

/// Takes a decimal number off the front; none if there is none.
static bool takeNumber(std::string_view &text, uint32_t &number) {
  auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc())
    return false;
  text.remove_prefix(end - text.data());
  return true;
}

/// "file.py:10" for a line of the generated text; empty if the user has none.
static std::string placeOf(const KernelSource &source, uint32_t line) {
  auto behind =
      std::upper_bound(source.places.begin(), source.places.end(), line,
                       [](uint32_t at, const SourcePlace &place) {
                         return at < place.generated;
                       });
  if (behind == source.places.begin() || std::prev(behind)->file.empty())
    return "";
  const SourcePlace &place = *std::prev(behind);
  return place.file + ":" + std::to_string(place.line + line - place.generated);
}

/// Takes ":8" or ":8:10" off the front of `rest` and returns the user's place.
static std::string takePlace(const KernelSource &source,
                             std::string_view &rest) {
  std::string_view text = rest;
  uint32_t line = 0, column = 0;
  if (!text.starts_with(':'))
    return "";
  text.remove_prefix(1);
  if (!takeNumber(text, line))
    return "";
  std::string place = placeOf(source, line);
  if (place.empty())
    return "";
  rest = text;
  if (text.starts_with(':') &&
      (text.remove_prefix(1), takeNumber(text, column)))
    rest = text;
  return place;
}

static std::string replaced(std::string_view text, const std::string &from,
                            const std::string &to) {
  std::string result;
  for (size_t at; (at = text.find(from)) != text.npos;
       text.remove_prefix(at + from.size()))
    result.append(text.substr(0, at)).append(to);
  return result.append(text);
}

std::string plan::inUserTerms(const KernelSource &source,
                              std::string_view message) {
  if (source.fileName.empty() || source.kernel.empty())
    return std::string(message);
  std::string result;
  std::string_view rest = message;
  for (size_t at; (at = rest.find(source.fileName)) != rest.npos;) {
    result += rest.substr(0, at);
    rest.remove_prefix(at + source.fileName.size());
    std::string place = takePlace(source, rest);
    result += place.empty() ? source.fileName : place;
  }
  result += rest;
  // The name in the source is that of the file.
  std::string name = source.fileName.substr(0, source.fileName.rfind('.'));
  return replaced(result, "'" + name + "'", "'" + source.kernel + "'");
}
