//===- bsm-cpu.cpp - CPU code generation, stage by stage ------------------===//
//
// bsm-cpu kernels.ll --kernel=name --group=256,1,1 --stop-after=emit
//
// Reads kernel IR (text or bitcode) and prints what a stage makes of it: IR, or
// assembly for --stop-after=object; --output writes the shared object.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/7_object/Target.h"
#include "codegen/cpu/Compile.h"

#include "llvm/IR/LLVMContext.h"
#include <CLI/CLI.hpp>

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace bessemer;
using namespace bessemer::codegen;
using namespace llvm;

namespace {

enum class Stop { Prepare, Regions, Structurise, Emit, Cleanup, Object };

std::string input, kernelName, reflectionPath, features, output;
std::string cpuName = "x86-64-v3";
std::vector<unsigned> group;
unsigned partLanes = 8, lanes = 0;
bool completeGroups = false;
Stop stopAfter = Stop::Object;

ExitOnError exitOnError("bsm-cpu: ");

int fail(const bessemer::Error &error) {
  errs() << "bsm-cpu: error: " << error.message << "\n";
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
    bool block = parameter.getType()->getPointerAddressSpace() ==
                 static_cast<unsigned>(bessemer::AddressSpace::Threadgroup);
    argument.kind =
        block ? ArgumentKind::ThreadgroupMemory : ArgumentKind::Buffer;
    argument.index = block ? blocks++ : buffers++;
    info.arguments.push_back(argument);
  }
  return info;
}

const Function *findKernel(const Module &module) {
  if (!kernelName.empty())
    return module.getFunction(kernelName);
  for (const Function &function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      return &function;
  return nullptr;
}

Result<KernelInfo> kernelInfo(const Module &module) {
  const Function *kernel = findKernel(module);
  if (!kernel || kernel->isDeclaration())
    return makeError(ErrorKind::NotFound,
                     "no kernel '" + kernelName + "' in " + input);
  if (reflectionPath.empty())
    return infoFromParameters(*kernel);
  auto buffer =
      exitOnError(errorOrToExpected(MemoryBuffer::getFile(reflectionPath)));
  Result<Reflection> reflection =
      reflectionFromJson(std::string_view(buffer->getBuffer()));
  if (!reflection)
    return reflection.error();
  const KernelInfo *info = reflection->find(kernel->getName().str());
  if (!info)
    return makeError(ErrorKind::NotFound, "no kernel '" +
                                              kernel->getName().str() +
                                              "' in " + reflectionPath);
  return *info;
}

int printAssembly(Module &module, TargetMachine &target) {
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, stream, nullptr,
                                 CodeGenFileType::AssemblyFile))
    return fail(makeError(ErrorKind::Unsupported, "no assembly printer"));
  passes.run(module);
  outs() << text;
  return 0;
}

int writeLibrary(Module &module, TargetMachine &target) {
  Result<std::string> object = cpu::emitObject(module, target);
  if (!object)
    return fail(object.error());
  Result<std::string> library = cpu::linkShared(*object);
  if (!library)
    return fail(library.error());
  std::error_code code;
  raw_fd_ostream stream(output, code);
  exitOnError(errorCodeToError(code));
  stream << *library;
  return 0;
}

int compile(Module &module) {
  Result<KernelInfo> info = kernelInfo(module);
  if (!info)
    return fail(info.error());
  cpu::Options options;
  for (size_t axis = 0; axis < group.size() && axis < 3; ++axis)
    options.group[axis] = group[axis];
  for (size_t axis = group.size(); !group.empty() && axis < 3; ++axis)
    options.group[axis] = 1;
  options.partLanes = partLanes;
  options.lanesInFlight = lanes;
  options.completeGroups = completeGroups;
  options.cpu = cpuName;
  options.features = features;
  auto target = cpu::createTarget(options);
  if (!target)
    return fail(target.error());
  auto stage = stopAfter == Stop::Object
                   ? cpu::Stage::Cleanup
                   : static_cast<cpu::Stage>(static_cast<int>(stopAfter));
  if (Status status = cpu::vectorise(module, *info, options, **target, stage);
      !status)
    return fail(status.error());
  if (!output.empty())
    return writeLibrary(module, **target);
  if (stopAfter == Stop::Object)
    return printAssembly(module, **target);
  module.print(outs(), nullptr);
  return 0;
}

} // namespace

// LLVM's own command line has options of the same names, hence CLI11.
int main(int count, char **arguments) {
  CLI::App app("CPU code generation, stage by stage");
  app.add_option("input", input, "kernel IR")->required();
  app.add_option("--kernel", kernelName, "kernel; default: the first");
  app.add_option("--reflection", reflectionPath,
                 "reflection JSON; default: arguments from the parameters");
  app.add_option("--group", group, "threadgroup shape X,Y,Z; default: any")
      ->delimiter(',');
  app.add_option("--part-lanes", partLanes, "0 = native");
  app.add_option("--lanes", lanes, "lanes in flight; 0 = by rule");
  app.add_flag("--complete-groups", completeGroups,
               "no group of the grid is cut");
  app.add_option("--cpu", cpuName, "LLVM's name, or host");
  app.add_option("--features", features, "with --cpu");
  app.add_option("--output", output, "write the shared object");
  std::map<std::string, Stop> stages{
      {"prepare", Stop::Prepare},         {"regions", Stop::Regions},
      {"structurise", Stop::Structurise}, {"emit", Stop::Emit},
      {"cleanup", Stop::Cleanup},         {"object", Stop::Object}};
  app.add_option("--stop-after", stopAfter, "object prints assembly")
      ->transform(CLI::CheckedTransformer(stages));
  CLI11_PARSE(app, count, arguments);

  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print("bsm-cpu", errs());
    return 1;
  }
  return compile(*module);
}
