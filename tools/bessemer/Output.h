//===- Output.h - What the program writes -----------------------*- C++ -*-===//
#ifndef BESSEMER_TOOLS_BESSEMER_OUTPUT_H
#define BESSEMER_TOOLS_BESSEMER_OUTPUT_H

#include "bessemer/result.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace bessemer::cli {

/// Makes writing safe from the start: a closed standard stream is opened, so
/// that no file takes its number, and a file that grows too large is an error
/// rather than the end of the process.
void prepareOutput();

/// The exit status `status`, unless some of what went to standard output was
/// lost; then that is reported.
int finishOutput(int status);

/// A file of these parts, whole or not at all: what was there before stays
/// if it cannot be written. Devices and pipes are written as they are.
Status writeFile(const std::string &path,
                 std::initializer_list<std::string_view> parts);

/// Whether both paths lead to one file that exists.
bool isSameFile(const std::string &a, const std::string &b);

/// Whether what is written to `path` stays there: it is no device or pipe.
bool isKept(const std::string &path);

} // namespace bessemer::cli

#endif // BESSEMER_TOOLS_BESSEMER_OUTPUT_H
