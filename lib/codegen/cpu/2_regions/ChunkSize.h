//===- ChunkSize.h - How many lanes are in flight ---------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_CHUNKSIZE_H
#define BESSEMER_CODEGEN_CPU_CHUNKSIZE_H

#include "codegen/cpu/Region.h"

namespace bessemer::codegen::cpu {

/// What decides about lane layout and chunk size.
struct KernelTraits {
  bool barriers = false;
  bool simdgroups = false; ///< Lanes, simdgroup indices, simd operations.
  bool threadIndex = false;
  bool divergentLoops = false; ///< That lanes leave one by one.
  unsigned instructions = 0;
};
/// Of a specialised kernel (attributes that folded away no longer count).
KernelTraits traitsOf(llvm::Function &kernel);

/// W for a kernel of these traits; `options` gives shape and part.
unsigned chooseLanesInFlight(const KernelTraits &traits,
                             const RegionOptions &options);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_CHUNKSIZE_H
