//===- Compile.cpp - bessemer compile -------------------------------------===//
#include "Options.h"
#include "Output.h"

#include <algorithm>
#include <iostream>

using namespace bessemer;
using namespace bessemer::cli;

namespace {
struct Options {
  SourceOptions source;
  std::string kernel, emit, output, target = "cpu";
  std::vector<uint32_t> group{0, 0, 0};
};
} // namespace

static int write(const Options &options, const std::string &text) {
  if (options.output.empty() || options.output == "-") {
    std::cout << text;
    return Done;
  }
  Status status = writeFile(options.output, {text});
  return status ? Done : report(status.error());
}

/// What was asked for and would not be done.
static Status check(const Options &options, const CLI::App &verb) {
  auto fail = [](const std::string &what) {
    return makeError(ErrorKind::InvalidArgument, what);
  };
  if (isModel(options.source.file))
    return fail(options.source.file +
                " is a model, which is compiled when it runs: bessemer run or "
                "bessemer inspect takes it");
  for (const char *name : {"--output", "--target", "--group"})
    if (options.emit.empty() && verb.get_option(name)->count())
      return fail(std::string(name) +
                  " needs --emit, which says what to print");
  if (isSameFile(options.output, options.source.file))
    return fail("-o " + options.output + " would overwrite the source");
  if (std::count(options.group.begin(), options.group.end(), 0) % 3)
    return fail("--group wants sizes from 1 on, or 0,0,0 for any");
  return {};
}

/// The kernel to print: the named one, or the only one.
static Result<std::string> chosenKernel(const Options &options,
                                        const Library &library) {
  const auto &kernels = library.reflection().kernels;
  std::string names;
  for (const KernelInfo &kernel : kernels) {
    if (kernel.name == options.kernel)
      return options.kernel;
    names += (names.empty() ? "" : ", ") + kernel.name;
  }
  if (!options.kernel.empty())
    return makeError(ErrorKind::NotFound, "no kernel '" + options.kernel +
                                              "'; the file has: " +
                                              (names.empty() ? "none" : names));
  if (kernels.size() == 1)
    return kernels.front().name;
  return makeError(ErrorKind::InvalidArgument,
                   kernels.empty()
                       ? "the file has no kernel"
                       : "several kernels, choose one with --kernel: " + names);
}

static int run(const Options &options, const CLI::App &verb) {
  if (Status status = check(options, verb); !status)
    return report(status.error());
  Result<Library> library = options.source.compile();
  if (!library)
    return report(library.error());
  if (options.emit.empty()) { // only check it
    if (!options.kernel.empty()) {
      Result<std::string> kernel = chosenKernel(options, *library);
      if (!kernel)
        return report(kernel.error());
      std::cout << *kernel << "\n";
      return Done;
    }
    for (const KernelInfo &kernel : library->reflection().kernels)
      std::cout << kernel.name << "\n";
    return Done;
  }
  Result<std::string> kernel = chosenKernel(options, *library);
  if (!kernel)
    return report(kernel.error());
  std::array<uint32_t, 3> group{1, 1, 1};
  std::copy(options.group.begin(), options.group.end(), group.begin());
  Result<std::string> text =
      library->emit(*kernel, options.emit, group, options.target);
  return text ? write(options, *text) : report(text.error());
}

void cli::addCompile(CLI::App &app, Action &action) {
  CLI::App *verb = app.add_subcommand(
      "compile", "Compile a file; without --emit, list its kernels");
  auto options = std::make_shared<Options>();
  options->source.addTo(*verb, "FILE.metal");
  verb->add_option("--kernel", options->kernel, "Kernel to print");
  verb->add_option("--emit", options->emit, "What to print")
      ->check(CLI::IsMember({"ir", "llvm", "asm", "object", "ptx"}));
  verb->add_option("--target", options->target,
                   "cpu, or nvidia:sm_90 (from sm_80 on)")
      ->capture_default_str();
  addSizes(*verb, "--group", options->group,
           "Threadgroup shape to specialise on; 0,0,0 = any");
  verb->add_option("-o,--output", options->output, "File to write");
  verb->callback([options, verb, &action] {
    action = [options, verb] { return run(*options, *verb); };
  });
}
