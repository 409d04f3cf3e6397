//===- Target.cpp - LLVM's NVPTX target, pipeline and printer -------------===//
#include "codegen/common/CloseLoops.h"
#include "codegen/nvidia/Steps.h"
#include "codegen/nvidia/StridedLoops.h"
#include "codegen/nvidia/UnrollPrivateArrays.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <mutex>

using namespace llvm;

namespace bessemer::codegen::nvidia {

static constexpr const char triple[] = "nvptx64-nvidia-cuda";
/// Redux and asynchronous copies begin here; older chips are not supported.
static constexpr unsigned oldestChip = 80;

static void initialiseOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

static bool isSupported(const std::string &architecture,
                        const MCSubtargetInfo &target) {
  StringRef number = architecture;
  unsigned chip;
  return number.consume_front("sm_") &&
         !number.take_while(isDigit).getAsInteger(10, chip) &&
         chip >= oldestChip && target.isCPUStringValid(architecture);
}

Result<std::unique_ptr<TargetMachine>> createTarget(const Options &options) {
  initialiseOnce();
  std::string message;
  const llvm::Target *target =
      TargetRegistry::lookupTarget(Triple(triple), message);
  if (!target)
    return makeError(ErrorKind::Unsupported,
                     "this build of LLVM has no NVPTX target: " + message);
  std::unique_ptr<MCSubtargetInfo> known(
      target->createMCSubtargetInfo(Triple(triple), "", ""));
  if (!isSupported(options.architecture, *known))
    return makeError(ErrorKind::InvalidArgument,
                     "unknown architecture '" + options.architecture +
                         "'; write sm_80, sm_90 or another one from sm_80 on");
  // Values as parameters of the grid need PTX 7.7.
  StringRef number = options.architecture;
  number.consume_front("sm_");
  bool isOld = number.size() == 2 && number < "90";
  TargetOptions machineOptions;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      Triple(triple), options.architecture, isOld ? "+ptx78" : "",
      machineOptions, Reloc::PIC_, std::nullopt, CodeGenOptLevel::Aggressive));
}

void optimise(Module &module, TargetMachine &target) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder passes(&target, tuning);
  // A kernel has no library to call.
  functions.registerPass([&] {
    TargetLibraryInfoImpl info(target.getTargetTriple());
    info.disableAllFunctions();
    return TargetLibraryAnalysis(info);
  });
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(sccs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, sccs, modules);
  ModulePassManager pipeline;
  FunctionPassManager before;
  before.addPass(InferAddressSpacesPass());
  // Ranges of thread numbers, once they have become ranges of values.
  before.addPass(InstCombinePass());
  before.addPass(LoopSimplifyPass());
  before.addPass(StridedLoopsPass());
  before.addPass(UnrollPrivateArraysPass());
  pipeline.addPass(createModuleToFunctionPassAdaptor(std::move(before)));
  pipeline.addPass(passes.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
  pipeline.addPass(GlobalDCEPass());
  pipeline.run(module, modules);
  for (Function &function : module)
    removeReconvergences(function);
}

Result<std::string> emitPtx(Module &module, TargetMachine &target) {
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, stream, nullptr,
                                 CodeGenFileType::AssemblyFile))
    return makeError(ErrorKind::Internal, "LLVM cannot print PTX");
  passes.run(module);
  return text.str().str();
}

} // namespace bessemer::codegen::nvidia
