//===- Run.cpp - bessemer run: its options, and what it shows -------------===//
#include "Run.h"

#include "Options.h"
#include "Output.h"
#include "Text.h"

#include <iostream>

using namespace bessemer;
using namespace bessemer::cli;

Status cli::writeArray(const std::string &name, const Array &array,
                       const std::string &file) {
  if (file.empty()) {
    std::cout << printable(name) << ": " << summary(array) << "\n";
    return {};
  }
  if (Status status = writeNpy(file, array); !status)
    return status;
  // What goes to a pipe is the only thing there.
  if (isKept(file))
    std::cout << printable(name) << ": " << describe(array.dtype, array.shape)
              << " -> " << printable(file) << "\n";
  return {};
}

static int run(const RunOptions &options, const CLI::App &verb) {
  if (Status status = checkUse(verb, options.source.file); !status)
    return report(status.error());
  return isModel(options.source.file) ? runModel(options) : runKernel(options);
}

/// An option that may be given several times.
static void addList(CLI::App &verb, const char *name, const char *type,
                    std::vector<std::string> &to, const char *what,
                    const char *group) {
  verb.add_option(name, to, what)
      ->allow_extra_args(false)
      ->type_name(type)
      ->group(group);
}

static void addKernelOptions(CLI::App &verb, RunOptions &options) {
  verb.add_option("--kernel", options.kernel, "If the file has several")
      ->type_name("NAME")
      ->group(kernelGroup);
  auto sizes = [&](const char *name, std::vector<uint32_t> &to,
                   const char *what) {
    addSizes(verb, name, to, what)->group(kernelGroup);
  };
  sizes("--threads", options.threads, "Threads; groups at the edge are cut");
  sizes("--groups", options.groups, "Complete groups, in place of --threads");
  sizes("--group", options.group, "Threads of a group [256 or fewer]");
  addList(verb, "--arg", "NAME=VALUE", options.arguments,
          "An argument: 1.5, FILE.npy, random[1024], zeros:float32[8,16]; the "
          "bytes of threadgroup memory",
          kernelGroup);
  addList(verb, "--out", "NAME[=TYPE][:FILE]", options.outputs,
          "What to print, or to save as .npy; with a type it begins as zeros",
          kernelGroup);
}

static void addModelOptions(CLI::App &verb, RunOptions &options) {
  verb.add_option("--function", options.function, "Of the model")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(modelGroup);
  addList(verb, "--input", "NAME=VALUE", options.inputs,
          "An input: FILE.npy, random[8,16], 1,2,3", modelGroup);
  verb.add_flag("--random", options.random, "For inputs that are not given")
      ->group(modelGroup);
  addList(verb, "--state", "NAME=VALUE", options.states,
          "What a state holds before the run; zeros if not given", modelGroup);
  verb.add_option("--save", options.save,
                  "Folder for NAME.npy of the outputs and states")
      ->type_name("FOLDER")
      ->group(modelGroup);
}

void cli::addRun(CLI::App &app, Action &action) {
  CLI::App *verb = app.add_subcommand(
      "run", "Run a kernel of FILE.metal, or a function of MODEL.aimodel");
  auto options = std::make_shared<RunOptions>();
  options->source.addTo(*verb, "FILE.metal or MODEL.aimodel");
  verb->add_option("--device", options->device, "Where (bessemer devices)")
      ->type_name("NAME")
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "Of random values")
      ->check(wholeNumber())
      ->type_name("N")
      ->capture_default_str();
  addKernelOptions(*verb, *options);
  addModelOptions(*verb, *options);
  verb->callback([options, verb, &action] {
    action = [options, verb] { return run(*options, *verb); };
  });
}
