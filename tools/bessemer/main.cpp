//===- main.cpp - The command line: one program, a verb each --------------===//
#include "Verbs.h"

#include <iostream>

using namespace bessemer;
using namespace bessemer::cli;

int cli::report(const Error &error) {
  std::cerr << (error.kind == ErrorKind::Compile ? "" : "error: ")
            << error.message << "\n";
  return error.kind == ErrorKind::Internal ? Internal : BadInput;
}

int main(int argc, char **argv) {
  CLI::App app{"Metal kernels, and the models that carry them, compiled, "
               "checked and run anywhere",
               "bessemer"};
  app.require_subcommand(1);
  Action action;
  addCompile(app, action);
  addInspect(app, action);
  addProbe(app, action);
  addDevices(app, action);
  addCache(app, action);
  addVersion(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // CLI11 has statuses of its own; ours has one for bad usage.
    return app.exit(error) == 0 ? Done : BadInput;
  }
  return action();
}
