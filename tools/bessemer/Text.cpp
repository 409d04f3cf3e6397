//===- Text.cpp - Text from files, for terminals --------------------------===//
#include "Text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>

using namespace bessemer;

/// Bytes of the UTF-8 character that `text` begins with; 0 if it is none.
static size_t characterLength(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned first = byte(0);
  size_t length = first < 0x80                    ? 1
                  : first >= 0xc2 && first < 0xe0 ? 2
                  : first >= 0xe0 && first < 0xf0 ? 3
                  : first >= 0xf0 && first < 0xf5 ? 4
                                                  : 0;
  if (length == 0 || length > text.size())
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  // Longer than need be, surrogates, beyond the last character.
  bool isWrong =
      (first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0) ||
      (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90);
  return isWrong ? 0 : length;
}

static std::string hexadecimal(const char *prefix, char byte) {
  char text[8];
  std::snprintf(text, sizeof(text), "%s%02x", prefix,
                static_cast<unsigned char>(byte));
  return text;
}

Result<std::string> cli::readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream && stream.peek() != std::ifstream::traits_type::eof())
    text << stream.rdbuf();
  if (!stream && !stream.eof())
    return makeError(ErrorKind::NotFound,
                     "cannot read '" + path + "': " + std::strerror(errno));
  return text.str();
}

Result<std::string> cli::readTextFile(const std::string &path) {
  Result<std::string> text = readFile(path);
  if (!text)
    return text;
  for (size_t at = 0, length; at < text->size(); at += length) {
    length = characterLength(std::string_view(*text).substr(at));
    if (length == 0)
      return makeError(ErrorKind::InvalidArgument,
                       path + " is not UTF-8 text: byte " + std::to_string(at) +
                           " is " + hexadecimal("0x", (*text)[at]));
  }
  return text;
}

std::string cli::printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    size_t length = characterLength(text);
    bool isControl = length == 1 && (static_cast<unsigned char>(text[0]) < 32 ||
                                     text[0] == 127);
    if (length == 0 || (isControl && text[0] != '\n' && text[0] != '\t')) {
      shown += hexadecimal("\\x", text[0]);
      length = 1;
    } else {
      shown += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return shown;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

/// Insertions, removals and replacements that make `b` of `a`, up to case.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string cli::suggestion(std::string_view word,
                            const std::vector<std::string> &known) {
  // Of a short word, less may be wrong.
  size_t nearest =
      std::min(word.size(), std::max<size_t>(word.size() / 3, 2) + 1);
  std::string best;
  for (const std::string &candidate : known)
    if (size_t distance = editDistance(word, candidate); distance < nearest) {
      nearest = distance;
      best = candidate;
    }
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}
