//===- BlockPool.h - Memory of intermediate tensors -------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_BLOCKPOOL_H
#define BESSEMER_RUNTIME_BLOCKPOOL_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace bessemer::runtime {

/// 64-byte aligned memory; frees itself.
struct Block {
  std::shared_ptr<void> data;
  uint64_t bytes = 0;
  static Block allocate(uint64_t bytes); ///< Null data if there is none.
  static Block zeros(uint64_t bytes);    ///< The same, filled with zeros.
};

/// Blocks that runs gave back, for the next tensor or the next run.
/// Thread-safe.
class BlockPool {
public:
  /// A block of at least `bytes`; null data if memory is exhausted.
  Block take(uint64_t bytes);
  void give(Block block);

private:
  static constexpr uint64_t retainedLimit = uint64_t(1) << 30;
  std::mutex mutex;
  std::multimap<uint64_t, Block> free; ///< By size.
  uint64_t retained = 0;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_BLOCKPOOL_H
