//===- Verbs.h - The verbs of the command line ------------------*- C++ -*-===//
#ifndef BESSEMER_TOOLS_BESSEMER_VERBS_H
#define BESSEMER_TOOLS_BESSEMER_VERBS_H

#include "bessemer/compiler.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

namespace bessemer::cli {

/// The program's exit status.
enum ExitStatus : int {
  Done = 0,
  Findings = 1, ///< Findings or wrong results.
  BadInput = 2, ///< Bad usage or bad input.
  Internal = 3, ///< A defect of Bessemer.
};

/// Each adds one subcommand, whose callback stores what `main` then runs.
using Action = std::function<int()>;
void addCompile(CLI::App &app, Action &action);
void addInspect(CLI::App &app, Action &action);
void addProbe(CLI::App &app, Action &action);
void addRun(CLI::App &app, Action &action);
void addDevices(CLI::App &app, Action &action);
void addCache(CLI::App &app, Action &action);
void addVersion(CLI::App &app, Action &action);

/// Prints "error: ..." and gives the exit status for it.
int report(const Error &error);

/// Reflection as lines and as JSON.
void printKernel(const KernelInfo &kernel);

/// The part of `inspect` that is about models.
int inspectModel(const std::string &path, bool json);

/// Whether the path is a model's: .aimodel, or a folder.
bool isModel(const std::string &path);

/// How the verbs that compile take their source.
struct SourceOptions {
  std::string file;
  std::string math = "relaxed", language = "4.0";
  std::vector<std::string> includeDirs, defines, constants;

  /// `what` is said of the file.
  void addTo(CLI::App &verb, const char *what);
  /// Reads and compiles the file; warnings go to stderr.
  Result<Library> compile() const;
};

} // namespace bessemer::cli

#endif // BESSEMER_TOOLS_BESSEMER_VERBS_H
