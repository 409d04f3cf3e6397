//===- ThreadPool.h - Chunks of work over the CPUs --------------*- C++ -*-===//
//
// The caller and n-1 workers. A dispatch costs microseconds: workers spin
// briefly, then park; nobody spins while there is no work. The caller waits
// for completed chunks, never for a worker to wake up.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_RUNTIME_THREADPOOL_H
#define BESSEMER_RUNTIME_THREADPOOL_H

#include "runtime/FunctionRef.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace bessemer::runtime {

/// CPUs this process may use: its affinity mask and its cgroup's quota.
unsigned availableCpus();

class ThreadPool {
public:
  /// Work on [first, last); must not throw.
  using ChunkFn = FunctionRef<void(uint64_t first, uint64_t last)>;
  /// Called by the waiting caller a few times a second.
  using IdleFn = FunctionRef<void()>;

  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned threads() const { return workers.size() + 1; }

  /// Calls `fn` on chunks of at most `chunk` that cover [0, total), on several
  /// threads, and returns when all are done. If another thread is using the
  /// pool, or from inside `fn`, everything runs on the caller.
  void parallelFor(uint64_t total, uint64_t chunk, ChunkFn fn, IdleFn idle);
  void parallelFor(uint64_t total, uint64_t chunk, ChunkFn fn) {
    parallelFor(total, chunk, fn, [] {});
  }
  /// Sends `signal` to every worker. From an IdleFn: then they are at its job,
  /// or at none.
  void signalWorkers(int signal);

private:
  void workerMain();
  void runChunks(uint32_t epoch);
  void post(uint32_t chunks);
  void waitForCompletion(uint32_t chunks, IdleFn idle);

  // The job. Written by the poster while `ticket` has no chunks left and all
  // are done, read by whoever claimed a chunk.
  const ChunkFn *job = nullptr;
  uint64_t jobTotal = 0, jobChunk = 1;
  uint32_t jobChunks = 0;

  /// Epoch in the upper, unclaimed chunks in the lower half: a worker that
  /// wakes late cannot claim a chunk of a later job by mistake.
  alignas(64) std::atomic<uint64_t> ticket{0};
  alignas(64) std::atomic<uint32_t> completed{0};
  alignas(64) std::atomic<uint32_t> epoch{0};
  std::atomic<unsigned> parked{0};
  std::atomic<bool> callerParked{false};
  std::atomic<bool> quitting{false};

  std::mutex busy; ///< Held by the thread whose job it is.
  std::mutex mutex;
  std::condition_variable wake, done;
  std::vector<std::thread> workers;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_THREADPOOL_H
