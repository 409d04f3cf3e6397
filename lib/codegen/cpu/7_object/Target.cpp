//===- Target.cpp - The machine that code is generated for ----------------===//

#include "codegen/cpu/7_object/Target.h"

#include "codegen/cpu/7_object/Scheduler.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <mutex>

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

void initialiseTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    configureScheduler();
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser();
  });
}

std::string hostFeatures() {
  SubtargetFeatures features;
  for (const auto &feature : sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return features.getString();
}

} // namespace

Result<std::unique_ptr<TargetMachine>> createTarget(const Options &options) {
  initialiseTargets();
  llvm::Triple triple(sys::getProcessTriple());
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return makeError(ErrorKind::Unsupported, message);
  bool host = options.cpu.empty() || options.cpu == "host";
  std::string cpu = host ? sys::getHostCPUName().str() : options.cpu;
  std::string features = host ? hostFeatures() : options.features;
  TargetOptions targetOptions;
  // The front end marks what may be contracted; Fast would also fuse the rest.
  targetOptions.AllowFPOpFusion = FPOpFusion::Standard;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features, targetOptions, Reloc::PIC_, std::nullopt,
      CodeGenOptLevel::Default));
  if (!machine || !machine->getMCSubtargetInfo()->isCPUStringValid(cpu))
    return makeError(ErrorKind::InvalidArgument,
                     "unknown CPU '" + cpu + "' for " + triple.str() +
                         "; `llc -mcpu=help` lists the known ones");
  return machine;
}

unsigned nativePartLanes(const TargetMachine &target) {
  const MCSubtargetInfo &subtarget = *target.getMCSubtargetInfo();
  if (!target.getTargetTriple().isX86())
    return 4;
  if (subtarget.checkFeatures("+avx512f"))
    return 16;
  return subtarget.checkFeatures("+avx2") ? 8 : 4;
}

} // namespace bessemer::codegen::cpu
