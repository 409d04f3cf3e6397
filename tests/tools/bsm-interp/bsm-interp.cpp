//===- bsm-interp.cpp - Runs kernel IR in the reference interpreter -------===//
//
//   bsm-interp FILE.ll --kernel scale --threads 8 --group 4
//       --buffer 0=iota-f32:8 --print 0=f32
//
// Exit status: 0 done, 1 the run failed, 2 bad usage.
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace bessemer;
using namespace bessemer::testing;

static int report(const Error &error, int exitStatus) {
  llvm::errs() << "error: " << error.message << '\n';
  return exitStatus;
}

static Status printBuffer(const Setup &setup, const std::string &option) {
  auto parsed = parseBufferOption(setup, option);
  if (!parsed)
    return parsed.error();
  auto text = printBytes(setup.buffers.at(parsed->first), parsed->second);
  if (!text)
    return text.error();
  llvm::outs() << *text << '\n';
  return {};
}

static Status writeBuffer(const Setup &setup, const std::string &option) {
  auto parsed = parseBufferOption(setup, option);
  if (!parsed)
    return parsed.error();
  std::error_code code;
  llvm::raw_fd_ostream stream(parsed->second, code);
  if (code)
    return makeError(ErrorKind::InvalidArgument, "cannot write '" +
                                                     parsed->second +
                                                     "': " + code.message());
  const std::vector<uint8_t> &bytes = setup.buffers.at(parsed->first);
  stream.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return {};
}

int main(int argc, char **argv) {
  CLI::App app("Runs kernel IR in the reference interpreter.");
  CommandLine command;
  std::vector<std::string> prints, outputs;
  command.declare(app);
  declareList(app, "--print", prints, "INDEX=TYPE");
  declareList(app, "--output", outputs, "INDEX=FILE");
  CLI11_PARSE(app, argc, argv);
  auto setup = command.setup();
  if (!setup)
    return report(setup.error(), 2);
  const bsm_launch &launch = (*setup)->launch();
  command.options.threadgroupBytes = (*setup)->threadgroupBytes;
  if (Status status = codegen::interp::run(*(*setup)->module, (*setup)->kernel,
                                           launch, command.options);
      !status)
    return report(status.error(), 1);
  for (const std::string &option : prints)
    if (Status status = printBuffer(**setup, option); !status)
      return report(status.error(), 2);
  for (const std::string &option : outputs)
    if (Status status = writeBuffer(**setup, option); !status)
      return report(status.error(), 2);
  return 0;
}
