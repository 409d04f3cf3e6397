//===- BlockPool.cpp - Memory of intermediate tensors ---------------------===//
#include "runtime/BlockPool.h"

#include "runtime/Fork.h"

#include <algorithm>
#include <cstdlib>

using namespace bessemer::runtime;

Block Block::allocate(uint64_t bytes) {
  if (bytes > uint64_t(INT64_MAX) - 64)
    return {};
  uint64_t rounded = std::max<uint64_t>((bytes + 63) & ~uint64_t(63), 64);
  void *data = std::aligned_alloc(64, rounded);
  if (!data)
    return {};
  return {std::shared_ptr<void>(data, std::free), rounded};
}

Block Block::zeros(uint64_t bytes) {
  if (bytes > uint64_t(INT64_MAX) - 128)
    return {};
  // Unlike memset, calloc knows which pages are zeros anyway.
  uint64_t rounded = std::max<uint64_t>((bytes + 63) & ~uint64_t(63), 64);
  void *data = std::calloc(rounded + 64, 1);
  if (!data)
    return {};
  std::shared_ptr<void> owner(data, std::free);
  auto aligned = (reinterpret_cast<uintptr_t>(data) + 63) & ~uintptr_t(63);
  return {std::shared_ptr<void>(std::move(owner),
                                reinterpret_cast<void *>(aligned)),
          rounded};
}

Block BlockPool::take(uint64_t bytes) {
  {
    ForkSection section;
    std::lock_guard lock(mutex);
    auto found = free.lower_bound(bytes);
    // One that is far too large may be wanted by a larger tensor.
    if (found != free.end() &&
        found->first / 2 <= std::max(bytes, uint64_t(4096))) {
      Block block = std::move(found->second);
      retained -= found->first;
      free.erase(found);
      return block;
    }
  }
  return Block::allocate(bytes);
}

void BlockPool::give(Block block) {
  ForkSection section;
  std::lock_guard lock(mutex);
  if (!block.data || retained + block.bytes > retainedLimit)
    return;
  retained += block.bytes;
  uint64_t bytes = block.bytes;
  free.emplace(bytes, std::move(block));
}
