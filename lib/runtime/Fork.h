//===- Fork.h - Working on in a forked child --------------------*- C++ -*-===//
//
// A forked child has one thread; what the others were doing stays half done,
// and their locks stay held. Two rules keep a child usable:
//
//  - A lock that others of the process may wait for is held only inside a
//    ForkSection, and a fork waits until no other thread is in one. A section
//    must wait neither for locks of the application (whoever forks holds
//    Python's) nor for work of the thread pool.
//  - What has threads, or locks held for long, is a ForkLocal: the child makes
//    its own.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_RUNTIME_FORK_H
#define BESSEMER_RUNTIME_FORK_H

#include <atomic>
#include <cstdint>

namespace bessemer::runtime {

/// How many forks led to this process.
unsigned forkGeneration();

/// While one lives, forks by other threads wait. Cheap; may be nested.
class ForkSection {
public:
  ForkSection();
  ~ForkSection();
  ForkSection(const ForkSection &) = delete;
  ForkSection &operator=(const ForkSection &) = delete;
};

/// While one lives, this thread is in no section: it may wait for a lock of the
/// application. A child that is forked meanwhile may find locks of the work
/// that goes on elsewhere held, so this is for rare and short questions.
class ForkPause {
public:
  ForkPause();
  ~ForkPause();
  ForkPause(const ForkPause &) = delete;
  ForkPause &operator=(const ForkPause &) = delete;

private:
  uint32_t depth;
};

/// An object made on first use, and once more in every forked child. The
/// parent's copy is left alone there: its threads do not exist.
template <typename T> class ForkLocal {
public:
  ForkLocal() = default;
  ForkLocal(const ForkLocal &) = delete;
  ForkLocal &operator=(const ForkLocal &) = delete;
  ~ForkLocal() {
    Version *version = current.load();
    if (version && version->generation == forkGeneration())
      delete version;
  }

  template <typename... Args> T &get(const Args &...args) {
    // No lock: one that another thread held during a fork would stay locked.
    unsigned generation = forkGeneration();
    Version *version = current.load(std::memory_order_acquire);
    while (!version || version->generation != generation) {
      auto *fresh = new Version(generation, args...);
      if (current.compare_exchange_strong(version, fresh))
        return fresh->object;
      delete fresh;
    }
    return version->object;
  }

private:
  struct Version {
    unsigned generation;
    T object;
    template <typename... Args>
    explicit Version(unsigned generation, const Args &...args)
        : generation(generation), object(args...) {}
  };
  std::atomic<Version *> current{nullptr};
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_FORK_H
