//===- Inspect.cpp - bessemer inspect -------------------------------------===//
#include "Options.h"
#include "Verbs.h"

#include <iostream>
#include <nlohmann/json.hpp>

using namespace bessemer;
using namespace bessemer::cli;

static void print(const Argument &argument) {
  bool isThreadgroup = argument.kind == ArgumentKind::ThreadgroupMemory;
  std::cout << "  "
            << (isThreadgroup ? "threadgroup" : spellingOf(argument.kind))
            << "(" << argument.index << ") " << argument.typeName
            << (argument.isReference ? " &" : " ") << argument.name << ", "
            << argument.elementSize << " bytes an element";
  if (argument.rank)
    std::cout << ", rank " << argument.rank;
  std::cout << ", " << spellingOf(argument.access) << "\n";
}

void cli::printKernel(const KernelInfo &kernel) {
  std::cout << kernel.name << " (" << kernel.location.file << ":"
            << kernel.location.line << ")\n";
  for (const Argument &argument : kernel.arguments)
    print(argument);
  std::cout << "  at most " << kernel.maxThreadsPerThreadgroup
            << " threads per threadgroup, " << kernel.staticThreadgroupMemory
            << " bytes of threadgroup memory"
            << (kernel.usesBarrier ? ", barriers" : "")
            << (kernel.usesSimdgroup ? ", simdgroup functions" : "") << "\n";
}

static int run(const SourceOptions &source, bool json, const CLI::App &verb) {
  if (Status status = checkUse(verb, source.file); !status)
    return report(status.error());
  if (isModel(source.file))
    return inspectModel(source.file, json);
  Result<Library> library = source.compile();
  if (!library)
    return report(library.error());
  if (json) {
    auto root = nlohmann::json::parse(toJson(library->reflection()));
    std::cout << root.dump(2) << "\n";
    return Done;
  }
  for (const FunctionConstant &constant :
       library->reflection().functionConstants)
    std::cout << "function constant " << constant.index << ": "
              << dtypeName(constant.type) << " " << constant.name << "\n";
  for (const KernelInfo &kernel : library->reflection().kernels)
    printKernel(kernel);
  return Done;
}

void cli::addInspect(CLI::App &app, Action &action) {
  CLI::App *verb =
      app.add_subcommand("inspect", "The kernels of FILE.metal and what they "
                                    "take, or what MODEL.aimodel holds");
  auto source = std::make_shared<SourceOptions>();
  auto json = std::make_shared<bool>(false);
  source->addTo(*verb, "FILE.metal or MODEL.aimodel");
  verb->add_flag("--json", *json, "As JSON");
  verb->callback([source, json, verb, &action] {
    action = [source, json, verb] { return run(*source, *json, *verb); };
  });
}
