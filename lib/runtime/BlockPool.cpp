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
