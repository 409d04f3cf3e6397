//===- Driver.h - The loop over threadgroups --------------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_DRIVER_H
#define BESSEMER_CODEGEN_CPU_DRIVER_H

#include "codegen/cpu/Region.h"

namespace bessemer::codegen::cpu {

/// One way to run a group: the emitted regions of one cut.
struct BodySet {
  RegionOptions options;
  std::vector<llvm::Function *> all;    ///< EntryMask::All; may be empty.
  std::vector<llvm::Function *> masked; ///< The same regions; may be empty if
                                        ///< every chunk is complete.
  llvm::Function *streaming = nullptr;  ///< Instead of the one of `all`.
  std::vector<unsigned> streamed;       ///< The arguments that it writes.
  uint64_t contextBytes = 64;
};

/// Emits the bsm_run_fn `<symbol>.run`: for every group, all its chunks through
/// the regions in turn. `complete` serves groups of the full shape, `partial`
/// (which may be the same object) the others.
llvm::Function *emitDriver(llvm::Module &module, const KernelInfo &kernel,
                           const BodySet &complete, const BodySet &partial);

/// The bsm_kernel record and the exported bsm_library of one kernel.
struct KernelRecord {
  std::string name;
  llvm::Function *run = nullptr;
  std::array<uint32_t, 3> group{0, 0, 0};
  unsigned threadgroupBytes = 0;
  uint64_t contextBytes = 0;
};
void emitLibrary(llvm::Module &module, const KernelRecord &record);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_DRIVER_H
