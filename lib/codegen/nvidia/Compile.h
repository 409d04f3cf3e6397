//===- Compile.h - Kernel IR to PTX -----------------------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_NVIDIA_COMPILE_H
#define BESSEMER_CODEGEN_NVIDIA_COMPILE_H

#include "bessemer/reflection.h"
#include "bessemer/result.h"

#include <array>
#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace bessemer::codegen::nvidia {

struct Options {
  /// Threadgroup shape to specialise on; {0,0,0} = any shape.
  std::array<uint32_t, 3> group{0, 0, 0};
  /// The grid is a whole number of threadgroups in every dimension.
  bool completeGroups = false;
  std::string architecture = "sm_90"; ///< sm_80 or newer.

  bool anyShape() const { return !group[0] && !group[1] && !group[2]; }
  bool wholeSimdgroups() const {
    return completeGroups && !anyShape() &&
           group[0] * group[1] * group[2] % 32 == 0;
  }
};

/// Where to stop, for tests: the module then holds that stage's result.
enum class Stage {
  Prepare,  ///< One function, simplified; bsm.* calls remain.
  Lanes,    ///< Cross-lane operations lowered under explicit masks.
  Entry,    ///< The entry with the launch ABI; no bsm.* call remains.
  Optimise, ///< What instruction selection gets.
};

/// The target machine; an Error for an unknown architecture.
Result<std::unique_ptr<llvm::TargetMachine>>
createTarget(const Options &options);

/// Kernel IR of one kernel -> NVPTX IR with one entry. Consumes the module's
/// content.
Status lower(llvm::Module &module, const KernelInfo &kernel,
             const Options &options, llvm::TargetMachine &target,
             Stage stopAfter = Stage::Optimise);

/// Result of lower -> PTX text.
Result<std::string> emitPtx(llvm::Module &module, llvm::TargetMachine &target);

/// All of it. `module` holds the whole source; it is cloned, not changed.
Result<std::string> compileKernel(const llvm::Module &module,
                                  const KernelInfo &kernel,
                                  const Options &options);

} // namespace bessemer::codegen::nvidia

#endif // BESSEMER_CODEGEN_NVIDIA_COMPILE_H
