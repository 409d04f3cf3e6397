//===- bsm-interp.cpp - Runs kernel IR in the reference interpreter -------===//
//
//   bsm-interp FILE.ll --kernel scale --threads 8 --group 4
//       --buffer 0=iota-f32:8 --print 0=f32
//
// Exit status: 0 done, 1 the run failed, 2 bad usage.
//
//===----------------------------------------------------------------------===//
#include "Setup.h"
#include "codegen/interp/Interpreter.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace bessemer;
using namespace bessemer::testing;
namespace {
struct Arguments {
  std::string file, kernel, reflection, threads = "1", group = "1";
  std::vector<std::string> buffers, tensors, threadgroupMemory, prints, outputs;
  codegen::interp::Options options;
};
} // namespace

static void declare(CLI::App &app, Arguments &arguments) {
  app.add_option("FILE", arguments.file, "LLVM IR")->required();
  app.add_option("--kernel", arguments.kernel)->required();
  app.add_option("--reflection", arguments.reflection, "JSON file");
  app.add_option("--threads", arguments.threads, "grid: X,Y,Z");
  app.add_option("--group", arguments.group, "threadgroup: X,Y,Z");
  app.add_option("--limit", arguments.options.instructionLimit,
                 "instructions of one thread");
  auto list = [&](const char *name, std::vector<std::string> &values,
                  const char *form) {
    app.add_option(name, values, form)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  list("--buffer", arguments.buffers, "INDEX=BYTES");
  list("--tensor", arguments.tensors, "INDEX=4x3:BYTES, outermost first");
  list("--threadgroup-memory", arguments.threadgroupMemory, "INDEX=COUNT");
  list("--print", arguments.prints, "INDEX=TYPE");
  list("--output", arguments.outputs, "INDEX=FILE");
}

static int report(const Error &error, int exitStatus) {
  llvm::errs() << "error: " << error.message << '\n';
  return exitStatus;
}

static Status configure(Setup &setup, const Arguments &arguments) {
  if (Status status = setup.setGrid(arguments.threads, arguments.group);
      !status)
    return status;
  for (const std::string &option : arguments.buffers)
    if (Status status = setup.setBuffer(option); !status)
      return status;
  for (const std::string &option : arguments.tensors)
    if (Status status = setup.setTensor(option); !status)
      return status;
  for (const std::string &option : arguments.threadgroupMemory)
    if (Status status = setup.setThreadgroupMemory(option); !status)
      return status;
  return {};
}

/// Handles one INDEX=REST of --print or --output.
template <typename Handle>
static Status withBuffer(Setup &setup, llvm::StringRef option, Handle handle) {
  auto [index, rest] = option.split('=');
  unsigned number;
  auto found = index.getAsInteger(10, number) ? setup.buffers.end()
                                              : setup.buffers.find(number);
  if (found == setup.buffers.end())
    return makeError(ErrorKind::InvalidArgument,
                     "'" + option.str() + "' names no bound buffer");
  return handle(found->second, rest);
}

static Status printBuffer(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef type) {
  Result<std::string> text = printBytes(bytes, type);
  if (!text)
    return text.error();
  llvm::outs() << *text << '\n';
  return {};
}

static Status writeBuffer(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef name) {
  std::error_code code;
  llvm::raw_fd_ostream stream(name, code);
  if (code)
    return makeError(ErrorKind::InvalidArgument,
                     "cannot write '" + name.str() + "': " + code.message());
  stream.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return {};
}

int main(int argc, char **argv) {
  CLI::App app("Runs kernel IR in the reference interpreter.");
  Arguments arguments;
  declare(app, arguments);
  CLI11_PARSE(app, argc, argv);
  auto setup =
      Setup::load(arguments.file, arguments.reflection, arguments.kernel);
  if (!setup)
    return report(setup.error(), 2);
  if (Status status = configure(**setup, arguments); !status)
    return report(status.error(), 2);
  const bsm_launch &launch = (*setup)->launch();
  arguments.options.threadgroupBytes = (*setup)->threadgroupBytes;
  if (Status status = codegen::interp::run(*(*setup)->module, (*setup)->kernel,
                                           launch, arguments.options);
      !status)
    return report(status.error(), 1);
  for (const std::string &option : arguments.prints)
    if (Status status = withBuffer(**setup, option, printBuffer); !status)
      return report(status.error(), 2);
  for (const std::string &option : arguments.outputs)
    if (Status status = withBuffer(**setup, option, writeBuffer); !status)
      return report(status.error(), 2);
  return 0;
}
