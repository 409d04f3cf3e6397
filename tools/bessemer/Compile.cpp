//===- Compile.cpp - bessemer compile -------------------------------------===//
#include "Verbs.h"

#include <fstream>
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
  std::ofstream stream(options.output, std::ios::binary);
  stream << text;
  stream.close();
  return stream ? Done
                : report(makeError(ErrorKind::InvalidArgument,
                                   "cannot write '" + options.output + "'"));
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

static int run(const Options &options) {
  Result<Library> library = options.source.compile();
  if (!library)
    return report(library.error());
  if (options.emit.empty()) { // only check it
    if (!options.kernel.empty()) {
      Result<std::string> kernel = chosenKernel(options, *library);
      return kernel ? write(options, *kernel + "\n") : report(kernel.error());
    }
    for (const KernelInfo &kernel : library->reflection().kernels)
      std::cout << kernel.name << "\n";
    return Done;
  }
  Result<std::string> kernel = chosenKernel(options, *library);
  if (!kernel)
    return report(kernel.error());
  Result<std::string> text = library->emit(
      *kernel, options.emit,
      {options.group[0], options.group[1], options.group[2]}, options.target);
  return text ? write(options, *text) : report(text.error());
}

void cli::addCompile(CLI::App &app, Action &action) {
  CLI::App *verb = app.add_subcommand(
      "compile", "Compile a file; without --emit, list its kernels");
  auto options = std::make_shared<Options>();
  options->source.addTo(*verb);
  verb->add_option("--kernel", options->kernel, "Kernel to print");
  verb->add_option("--emit", options->emit, "What to print")
      ->check(CLI::IsMember({"ir", "llvm", "asm", "object", "ptx"}));
  verb->add_option("--target", options->target,
                   "cpu, or nvidia:sm_90 (from sm_80 on)")
      ->capture_default_str();
  verb->add_option("--group", options->group,
                   "Threadgroup shape X,Y,Z to specialise on; 0,0,0 = any")
      ->delimiter(',')
      ->expected(3);
  verb->add_option("-o,--output", options->output, "File to write");
  verb->callback(
      [options, &action] { action = [options] { return run(*options); }; });
}
