//===- Run.h - What the two kinds of bessemer run share ---------*- C++ -*-===//
#ifndef BESSEMER_TOOLS_BESSEMER_RUN_H
#define BESSEMER_TOOLS_BESSEMER_RUN_H

#include "Array.h"
#include "Verbs.h"

namespace bessemer::cli {

struct RunOptions {
  SourceOptions source;
  std::string device = "cpu", kernel, function = "main", save;
  std::vector<uint32_t> threads, groups, group;
  std::vector<std::string> arguments, outputs, inputs, states;
  bool random = false;
  uint64_t seed = 0;
};

int runKernel(const RunOptions &options);
int runModel(const RunOptions &options);

/// Prints "NAME: float32[2] 1 2"; with a file, writes that and prints where.
Status writeArray(const std::string &name, const Array &array,
                  const std::string &file);

} // namespace bessemer::cli

#endif // BESSEMER_TOOLS_BESSEMER_RUN_H
