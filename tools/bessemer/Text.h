//===- Text.h - Text from files, for terminals ------------------*- C++ -*-===//
#ifndef BESSEMER_TOOLS_BESSEMER_TEXT_H
#define BESSEMER_TOOLS_BESSEMER_TEXT_H

#include "bessemer/result.h"

#include <string_view>
#include <vector>

namespace bessemer::cli {

/// The whole file; bytes, whatever they are.
Result<std::string> readFile(const std::string &path);

/// The same; an error that names the first byte if it is not UTF-8.
Result<std::string> readTextFile(const std::string &path);

/// `text` with bytes that are not UTF-8, and control characters, as "\xff": no
/// file may steer the terminal.
std::string printable(std::string_view text);

/// "; did you mean 'compile'?" if one of `known` is near `word`, else "".
std::string suggestion(std::string_view word,
                       const std::vector<std::string> &known);

} // namespace bessemer::cli

#endif // BESSEMER_TOOLS_BESSEMER_TEXT_H
