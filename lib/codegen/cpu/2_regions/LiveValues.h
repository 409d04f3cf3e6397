//===- LiveValues.h - What lives across barriers ----------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_LIVEVALUES_H
#define BESSEMER_CODEGEN_CPU_LIVEVALUES_H

#include "codegen/cpu/Region.h"

#include "llvm/IR/Instructions.h"

namespace bessemer::codegen::cpu {

/// Hands out offsets in a worker's context memory.
class ContextLayout {
public:
  explicit ContextLayout(const RegionOptions &options) : options(options) {}

  /// `bytes` for every thread.
  uint64_t perThread(uint64_t bytes) {
    return allocate(bytes * options.paddedThreads());
  }
  /// `bytes` for every lane of one chunk.
  uint64_t perLane(uint64_t bytes) {
    return allocate(bytes * options.lanesInFlight);
  }
  /// One slot per chunk: a chunk must not read what one before it has already
  /// overwritten on behalf of the next region.
  uint64_t perChunk() {
    return allocate(slotBytes *
                    (options.paddedThreads() / options.lanesInFlight));
  }
  uint64_t bytes() const { return end; }

  static constexpr unsigned slotBytes = 8;
  static constexpr uint64_t mostBytes = 256 << 20;

private:
  uint64_t allocate(uint64_t bytes) {
    uint64_t offset = end;
    end += (bytes + 63) / 64 * 64;
    return offset;
  }

  const RegionOptions &options;
  uint64_t end = 64; ///< Before it, the vote on the next region.
};

/// A value that is used behind a barrier it was computed before.
struct LiveValue {
  llvm::Instruction *value = nullptr;
  llvm::SmallVector<unsigned, 4> barriers; ///< Those it crosses.
  bool uniform = false;
  bool rematerialise = false;
  unsigned offset = 0;              ///< In the context, if not rematerialised.
  llvm::Value *tree = nullptr;      ///< If rematerialised.
  llvm::AllocaInst *slot = nullptr; ///< Where the value lives in the kernel.
};

/// The values that cross any of `barriers` (blocks that hold nothing else).
std::vector<LiveValue>
findLiveValues(llvm::Function &kernel,
               llvm::ArrayRef<llvm::BasicBlock *> barriers);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_LIVEVALUES_H
