//===- Interpreter.cpp - The grid of threadgroups -------------------------===//
#include "codegen/interp/Interpreter.h"
#include "codegen/common/CloseLoops.h"
#include "codegen/interp/Scheduler.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <cstdlib>

using namespace bessemer;
using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;

static Options withEnvironment(Options options) {
  if (const char *text = std::getenv("BESSEMER_INTERPRETER_LIMIT"))
    if (uint64_t limit = std::strtoull(text, nullptr, 10))
      options.instructionLimit = limit;
  return options;
}

static Status checkLaunch(const KernelInfo &kernel, const bsm_launch &launch) {
  auto bad = [&](const std::string &what) {
    return makeError(ErrorKind::InvalidArgument,
                     "kernel '" + kernel.name + "': " + what);
  };
  if (launch.version != BSM_LAUNCH_VERSION)
    return bad("launch of version " + std::to_string(launch.version) +
               ", expected " + std::to_string(BSM_LAUNCH_VERSION));
  uint64_t threads = 1;
  for (uint32_t size : launch.threads_per_threadgroup)
    threads *= std::min<uint32_t>(size, 1025);
  if (threads == 0 || threads > 1024)
    return bad("a threadgroup has 1 to 1024 threads");
  for (unsigned i = 0; i < 3; ++i) {
    uint64_t size = launch.threads_per_threadgroup[i];
    if ((launch.threads_per_grid[i] + size - 1) / size !=
        launch.threadgroups_per_grid[i])
      return bad("threads_per_grid and threadgroups_per_grid disagree");
  }
  return {};
}

/// Groups at the far edges of the grid have only the threads inside it.
static GroupShape shapeOf(const bsm_launch &launch,
                          std::array<uint32_t, 3> position) {
  GroupShape shape{position, {}};
  for (unsigned i = 0; i < 3; ++i) {
    uint32_t size = launch.threads_per_threadgroup[i];
    shape.size[i] =
        std::min(size, launch.threads_per_grid[i] - position[i] * size);
  }
  return shape;
}

static bool runGrid(Machine &machine, const llvm::Function &kernel,
                    const std::vector<Leaves> &arguments) {
  const uint32_t *groups = machine.launch.threadgroups_per_grid;
  for (uint32_t z = 0; z < groups[2]; ++z)
    for (uint32_t y = 0; y < groups[1]; ++y)
      for (uint32_t x = 0; x < groups[0]; ++x)
        if (!runThreadgroup(machine, kernel, arguments,
                            shapeOf(machine.launch, {x, y, z})))
          return false;
  return true;
}

/// The module, with every loop in its braces.
static std::unique_ptr<llvm::Module> inBraces(const llvm::Module &module) {
  std::unique_ptr<llvm::Module> result = llvm::CloneModule(module);
  closeLoops(*result, Lanes);
  for (llvm::Function &function : *result)
    removeReconvergences(function);
  return result;
}

Status interp::run(const llvm::Module &source, const KernelInfo &kernel,
                   const bsm_launch &launch, const Options &options) {
  if (Status status = checkLaunch(kernel, launch); !status)
    return status;
  std::unique_ptr<llvm::Module> module = inBraces(source);
  Machine machine(*module, kernel, launch, withEnvironment(options));
  const llvm::Function *function = module->getFunction(kernel.symbol);
  if (!function || function->isDeclaration())
    machine.fail(ErrorKind::NotFound,
                 "the module has no function '" + kernel.symbol + "'");
  else if (function->arg_size() != kernel.arguments.size())
    machine.fail(ErrorKind::Internal,
                 "the function has " + std::to_string(function->arg_size()) +
                     " parameters, the reflection " +
                     std::to_string(kernel.arguments.size()));
  else if (auto arguments = machine.bindArguments())
    runGrid(machine, *function, *arguments);
  return machine.status();
}
