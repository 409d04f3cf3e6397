//===- WorkerMemory.h - Threadgroup and context memory ----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_WORKERMEMORY_H
#define BESSEMER_RUNTIME_WORKERMEMORY_H

#include "bessemer/abi/launch.h"

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace bessemer::runtime {

/// The blocks a thread hands to compiled code: 64-byte aligned, uninitialised,
/// grown on demand and kept for the next dispatch.
class WorkerMemory {
public:
  /// The calling thread's.
  static WorkerMemory &ofThread() {
    static thread_local WorkerMemory memory;
    return memory;
  }

  /// False if there is not enough memory.
  bool reserve(size_t threadgroupBytes, size_t contextBytes) {
    return threadgroup.reserve(threadgroupBytes) &&
           context.reserve(contextBytes);
  }
  bsm_worker worker() const {
    return {threadgroup.data.get(), context.data.get()};
  }

private:
  struct Free {
    void operator()(void *data) const { std::free(data); }
  };
  struct Block {
    std::unique_ptr<void, Free> data;
    size_t size = 0;
    bool reserve(size_t bytes) {
      if (bytes <= size)
        return true;
      size_t rounded = (bytes + 4095) & ~size_t(4095);
      data.reset(); // before the new one: contents need not survive
      data.reset(std::aligned_alloc(64, rounded));
      size = data ? rounded : 0;
      return data != nullptr;
    }
  };
  Block threadgroup, context;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_WORKERMEMORY_H
