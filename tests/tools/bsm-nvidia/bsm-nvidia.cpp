//===- bsm-nvidia.cpp - NVIDIA code generation, stage by stage ------------===//
//
// bsm-nvidia kernels.ll --kernel name --group 256,1,1 --stop-after lanes
//
// Reads kernel IR (text or bitcode) and prints PTX, or the IR of a stage.
//
//===----------------------------------------------------------------------===//

#include "codegen/nvidia/Compile.h"

#include <CLI/CLI.hpp>

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace bessemer;
using namespace bessemer::codegen;
using namespace llvm;

namespace {

enum class Stop { Prepare, Lanes, Entry, Optimise, Ptx };

std::string input, kernelName, reflectionPath, output;
Stop stopAfter = Stop::Ptx;

int fail(const std::string &message) {
  errs() << "bsm-nvidia: error: " << message << "\n";
  return 1;
}

/// Buffers and threadgroup blocks, numbered in order.
KernelInfo infoFromParameters(const Function &kernel) {
  KernelInfo info;
  info.name = info.symbol = kernel.getName().str();
  unsigned buffers = 0, blocks = 0;
  for (const llvm::Argument &parameter : kernel.args()) {
    bessemer::Argument argument;
    argument.name = parameter.getName().str();
    argument.space = static_cast<bessemer::AddressSpace>(
        parameter.getType()->getPointerAddressSpace());
    bool block = argument.space == bessemer::AddressSpace::Threadgroup;
    argument.kind =
        block ? ArgumentKind::ThreadgroupMemory : ArgumentKind::Buffer;
    argument.index = block ? blocks++ : buffers++;
    info.arguments.push_back(argument);
  }
  return info;
}

Result<KernelInfo> kernelInfo(const Module &module) {
  const Function *kernel = module.getFunction(kernelName);
  if (!kernel || kernel->isDeclaration())
    return makeError(ErrorKind::NotFound,
                     "no kernel '" + kernelName + "' in " + input);
  if (reflectionPath.empty())
    return infoFromParameters(*kernel);
  auto buffer = MemoryBuffer::getFile(reflectionPath);
  if (!buffer)
    return makeError(ErrorKind::NotFound, "cannot read " + reflectionPath);
  Result<Reflection> reflection =
      reflectionFromJson(std::string_view((*buffer)->getBuffer()));
  if (!reflection)
    return reflection.error();
  const KernelInfo *info = reflection->find(kernelName);
  if (!info)
    return makeError(ErrorKind::NotFound,
                     "no kernel '" + kernelName + "' in " + reflectionPath);
  return *info;
}

Result<std::string> compile(Module &module, const nvidia::Options &options) {
  Result<KernelInfo> info = kernelInfo(module);
  if (!info)
    return info.error();
  if (stopAfter == Stop::Ptx)
    return nvidia::compileKernel(module, *info, options);
  auto target = nvidia::createTarget(options);
  if (!target)
    return target.error();
  auto stage = static_cast<nvidia::Stage>(static_cast<int>(stopAfter));
  if (Status status = nvidia::lower(module, *info, options, **target, stage);
      !status)
    return status.error();
  std::string text;
  raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

} // namespace

// LLVM's own command line has options of the same names, hence CLI11.
int main(int count, char **arguments) {
  CLI::App app("NVIDIA code generation, stage by stage");
  nvidia::Options options;
  std::vector<unsigned> group;
  app.add_option("input", input, "kernel IR")->required();
  app.add_option("--kernel", kernelName, "kernel")->required();
  app.add_option("--reflection", reflectionPath,
                 "reflection JSON; default: arguments from the parameters");
  app.add_option("--group", group, "threadgroup shape X,Y,Z; default: any")
      ->delimiter(',');
  app.add_flag("--complete", options.completeGroups, "no group is cut");
  app.add_option("--architecture", options.architecture, "sm_80, sm_90, ...");
  app.add_option("--output", output, "file; default: standard output");
  std::map<std::string, Stop> stages{{"prepare", Stop::Prepare},
                                     {"lanes", Stop::Lanes},
                                     {"entry", Stop::Entry},
                                     {"optimise", Stop::Optimise},
                                     {"ptx", Stop::Ptx}};
  app.add_option("--stop-after", stopAfter, "ptx, or a stage's IR")
      ->transform(CLI::CheckedTransformer(stages));
  CLI11_PARSE(app, count, arguments);
  for (size_t axis = 0; !group.empty() && axis < 3; ++axis)
    options.group[axis] = axis < group.size() ? group[axis] : 1;

  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print("bsm-nvidia", errs());
    return 1;
  }
  Result<std::string> text = compile(*module, options);
  if (!text)
    return fail(text.error().message);
  std::error_code code;
  raw_fd_ostream stream(output.empty() ? "-" : output, code);
  if (code)
    return fail("cannot write '" + output + "': " + code.message());
  stream << *text;
  return 0;
}
