//===- Compile.cpp - Kernel IR to PTX -------------------------------------===//
#include "codegen/nvidia/Compile.h"

#include "bessemer/abi/cuda.h"
#include "codegen/nvidia/Steps.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cstddef>

using namespace llvm;

namespace bessemer::codegen::nvidia {

static Status checkOptions(const Options &options) {
  auto [x, y, z] = options.group;
  uint64_t threads = uint64_t(x) * y * z;
  if (options.anyShape() || (threads >= 1 && threads <= 1024 && z <= 64))
    return {};
  return makeError(ErrorKind::InvalidArgument,
                   "a threadgroup of " + std::to_string(x) + " x " +
                       std::to_string(y) + " x " + std::to_string(z) +
                       " threads; allowed are 1 to 1024 in all, and 64 along z "
                       "on NVIDIA GPUs");
}

static Status verify(const Module &module) {
  std::string message;
  raw_string_ostream stream(message);
  if (!verifyModule(module, &stream))
    return {};
  return makeError(ErrorKind::Internal,
                   "generated IR is not valid: " + message.substr(0, 600));
}

/// Address of the fault record, at the start of the entry.
static Value *faultAddress(Function &entry) {
  IRBuilder<> builder(&entry.getEntryBlock(),
                      entry.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *launch = entry.getArg(entry.arg_size() - 1);
  Value *address = builder.CreateConstInBoundsGEP1_64(
      builder.getInt8Ty(), launch, offsetof(bsm_cuda_launch, fault));
  return builder.CreateAlignedLoad(
      builder.getPtrTy(static_cast<unsigned>(AddressSpace::Device)), address,
      Align(8), "fault");
}

/// The target's layout in which 64-bit integers are not native: they are pairs
/// of registers, and counters must not be widened to them.
static std::string withoutWideIntegers(const TargetMachine &target) {
  std::string layout = target.createDataLayout().getStringRepresentation();
  constexpr StringRef native = "-n16:32:64";
  if (size_t at = layout.find(native); at != std::string::npos)
    layout.replace(at, native.size(), "-n16:32");
  return layout;
}

Status lower(Module &module, const KernelInfo &kernel, const Options &options,
             TargetMachine &target, Stage stopAfter) {
  if (Status status = checkOptions(options); !status)
    return status;
  module.setTargetTriple(target.getTargetTriple());
  module.setDataLayout(withoutWideIntegers(target));
  Result<Function *> prepared = prepare(module, kernel);
  if (!prepared)
    return prepared.error();
  if (stopAfter == Stage::Prepare)
    return {};
  module.setDataLayout(target.createDataLayout());
  Function *body = foldConstantSpace(**prepared);
  for (Function &function : module)
    if (!function.isDeclaration())
      lowerLanes(function, options);
  if (stopAfter == Stage::Lanes)
    return verify(module);
  Result<Function *> entry = makeEntry(*body, kernel, options);
  if (!entry)
    return entry.error();
  Value *fault = faultAddress(**entry);
  for (Function &function : module)
    if (!function.isDeclaration()) {
      lowerOperations(function, fault, options);
      applyFloatRules(function);
      narrowAtomicScopes(function);
    }
  // Line tables would make ptxas compile for a debugger. What messages need of
  // them is in the code now.
  StripDebugInfo(module);
  if (Status status = verify(module); !status || stopAfter == Stage::Entry)
    return status;
  optimise(module, target);
  return {};
}

Result<std::string> compileKernel(const Module &module,
                                  const KernelInfo &kernel,
                                  const Options &options) {
  Result<std::unique_ptr<TargetMachine>> target = createTarget(options);
  if (!target)
    return target.error();
  std::unique_ptr<Module> copy = CloneModule(module);
  if (Status status = lower(*copy, kernel, options, **target); !status)
    return status.error();
  return emitPtx(*copy, **target);
}

} // namespace bessemer::codegen::nvidia
