//===- Compile.h - Kernel IR to CPU machine code ----------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_COMPILE_H
#define BESSEMER_CODEGEN_CPU_COMPILE_H

#include "bessemer/reflection.h"
#include "bessemer/result.h"

#include <array>
#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace bessemer::codegen::cpu {

struct Options {
  /// Threadgroup shape to specialise on; {0,0,0} = any shape.
  std::array<uint32_t, 3> group{0, 0, 0};
  /// Only for grids without groups that are cut at the edge; of a shape.
  bool completeGroups = false;
  unsigned partLanes = 0;     ///< 0 = from the target's vector width.
  unsigned lanesInFlight = 0; ///< 0 = the rule of docs/architecture.md.
  std::string cpu;            ///< Empty = the host.
  std::string features;       ///< With `cpu`; LLVM's spelling.
};

/// Where to stop, for tests: the module then holds that stage's result.
enum class Stage { Prepare, Regions, Structurise, Emit, Cleanup };

/// Kernel IR of one kernel -> a function `<symbol>.run` with the signature of
/// bsm_run_fn and a `bsm_library` record, optimised, in `module`. Everything
/// else is internal. Consumes the module's content.
Status vectorise(llvm::Module &module, const KernelInfo &kernel,
                 const Options &options, llvm::TargetMachine &target,
                 Stage stopAfter = Stage::Cleanup);

/// Result of vectorise -> relocatable ELF object.
Result<std::string> emitObject(llvm::Module &module,
                               llvm::TargetMachine &target);

/// Object -> ELF shared object without undefined symbols, linked in process.
Result<std::string> linkShared(const std::string &object);

/// All of it. `module` holds the whole source; it is cloned, not changed.
Result<std::string> compileKernel(const llvm::Module &module,
                                  const KernelInfo &kernel,
                                  const Options &options);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_COMPILE_H
