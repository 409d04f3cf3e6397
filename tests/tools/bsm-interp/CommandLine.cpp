//===- CommandLine.cpp - Options of the tools that run kernel IR ----------===//
#include "CommandLine.h"

using namespace bessemer;
using namespace bessemer::testing;

void testing::declareList(CLI::App &app, const char *name,
                          std::vector<std::string> &values, const char *form) {
  app.add_option(name, values, form)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void CommandLine::declare(CLI::App &app) {
  app.add_option("FILE", file, "LLVM IR")->required();
  app.add_option("--kernel", kernel)->required();
  app.add_option("--reflection", reflection, "JSON file");
  app.add_option("--threads", threads, "grid: X,Y,Z");
  app.add_option("--group", group, "threadgroup: X,Y,Z");
  app.add_option("--limit", options.instructionLimit,
                 "instructions of one thread");
  declareList(app, "--buffer", buffers, "INDEX=BYTES");
  declareList(app, "--tensor", tensors, "INDEX=4x3:BYTES, outermost first");
  declareList(app, "--threadgroup-memory", threadgroupMemory, "INDEX=BYTES");
}

Result<std::unique_ptr<Setup>> CommandLine::setup() const {
  auto result = Setup::load(file, reflection, kernel);
  if (!result)
    return result;
  Setup &setup = **result;
  if (Status status = setup.setGrid(threads, group); !status)
    return status.error();
  for (const std::string &option : buffers)
    if (Status status = setup.setBuffer(option); !status)
      return status.error();
  for (const std::string &option : tensors)
    if (Status status = setup.setTensor(option); !status)
      return status.error();
  for (const std::string &option : threadgroupMemory)
    if (Status status = setup.setThreadgroupMemory(option); !status)
      return status.error();
  return result;
}

Result<std::pair<unsigned, std::string>>
testing::parseBufferOption(const Setup &setup, const std::string &option) {
  auto [index, rest] = llvm::StringRef(option).split('=');
  unsigned number;
  if (index.getAsInteger(10, number) || !setup.buffers.count(number))
    return makeError(ErrorKind::InvalidArgument,
                     "'" + option + "' names no bound buffer");
  return std::make_pair(number, rest.str());
}
