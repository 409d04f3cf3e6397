//===- CommandLine.h - Options of the tools that run kernel IR --*- C++ -*-===//
#ifndef BESSEMER_TESTS_TOOLS_COMMANDLINE_H
#define BESSEMER_TESTS_TOOLS_COMMANDLINE_H

#include "Setup.h"
#include "codegen/interp/Interpreter.h"

#include <CLI/CLI.hpp>

namespace bessemer::testing {

/// What both bsm-interp and bsm-compare take.
struct CommandLine {
  std::string file, kernel, reflection, threads = "1", group = "1";
  std::vector<std::string> buffers, tensors, threadgroupMemory;
  codegen::interp::Options options;

  void declare(CLI::App &app);
  /// The setup that the options describe.
  Result<std::unique_ptr<Setup>> setup() const;
};

/// An option that may be given several times, one value each.
void declareList(CLI::App &app, const char *name,
                 std::vector<std::string> &values, const char *form);

/// The bound buffer that INDEX=REST names, and REST.
Result<std::pair<unsigned, std::string>>
parseBufferOption(const Setup &setup, const std::string &option);

} // namespace bessemer::testing

#endif // BESSEMER_TESTS_TOOLS_COMMANDLINE_H
