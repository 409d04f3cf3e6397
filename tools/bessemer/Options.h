//===- Options.h - Options that several verbs have --------------*- C++ -*-===//
#ifndef BESSEMER_TOOLS_BESSEMER_OPTIONS_H
#define BESSEMER_TOOLS_BESSEMER_OPTIONS_H

#include "Verbs.h"

namespace bessemer::cli {

/// How --help heads the options that only one kind of file has a use for.
inline constexpr const char *sourceGroup = "Metal source";
inline constexpr const char *kernelGroup = "Kernels";
inline constexpr const char *modelGroup = "Models";

/// An option that takes from `least` to `most` numbers, "8", "8,4" or "8,4,1",
/// and is given at most once.
CLI::Option *addSizes(CLI::App &verb, const char *name,
                      std::vector<uint32_t> &to, const char *what,
                      size_t least = 1, size_t most = 3);

/// A check that the text is decimal digits.
CLI::Validator wholeNumber();

/// An error that names the first option that is of no use for `file`, which is
/// a model or not: nothing that was asked for is left undone silently.
Status checkUse(const CLI::App &verb, const std::string &file);

/// "NAME=VALUE" texts in two; an error that names `option` for what is none,
/// and for a name that is there twice.
using Assignments = std::vector<std::pair<std::string, std::string>>;
Result<Assignments> parseAssignments(const std::string &option,
                                     const std::vector<std::string> &texts);

} // namespace bessemer::cli

#endif // BESSEMER_TOOLS_BESSEMER_OPTIONS_H
