//===- ThreadPool.cpp - Chunks of work over the CPUs ----------------------===//
#include "runtime/ThreadPool.h"

#include "runtime/Faults.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <sched.h>
#include <utility>

using namespace bessemer::runtime;

/// Polls of a spin: some tens of microseconds, longer than the gap between two
/// dispatches of a model and shorter than anyone notices on a battery.
static constexpr unsigned spins = 4000;

static void pauseCpu() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// The quota of the process' cgroup in whole CPUs, rounded up; 0 = none.
static unsigned cgroupCpus() {
  FILE *file = std::fopen("/sys/fs/cgroup/cpu.max", "re");
  if (!file)
    return 0;
  unsigned long quota = 0, period = 0;
  int fields = std::fscanf(file, "%lu %lu", &quota, &period);
  std::fclose(file);
  return fields == 2 && period ? (quota + period - 1) / period : 0;
}

unsigned bessemer::runtime::availableCpus() {
  cpu_set_t set;
  unsigned cpus = std::max(1u, std::thread::hardware_concurrency());
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    cpus = std::max(1, CPU_COUNT(&set));
  unsigned quota = cgroupCpus();
  return quota ? std::min(cpus, quota) : cpus;
}

ThreadPool::ThreadPool(unsigned threads) {
  // Signals belong to the threads of the application; only those for compiled
  // code must reach a worker.
  sigset_t all, before;
  sigfillset(&all);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, leaveSignal})
    sigdelset(&all, signal);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  workers.reserve(threads);
  try {
    while (workers.size() + 1 < threads)
      workers.emplace_back([this] { workerMain(); });
  } catch (const std::system_error &) {
    // A process at its thread limit works with what it got.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ThreadPool::~ThreadPool() {
  quitting.store(true);
  {
    std::lock_guard lock(mutex);
    epoch.fetch_add(1);
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::workerMain() {
  pthread_setname_np(pthread_self(), "bessemer");
  uint32_t seen = 0;
  for (;;) {
    for (unsigned i = 0; i < spins && epoch.load() == seen; ++i)
      pauseCpu();
    if (epoch.load() == seen) {
      std::unique_lock lock(mutex);
      // Before the last look at the epoch: `post` reads them in the other
      // order, so one of the two sees the other.
      parked.fetch_add(1);
      wake.wait(lock, [&] { return epoch.load() != seen; });
      parked.fetch_sub(1);
    }
    seen = epoch.load();
    if (quitting.load())
      return;
    runChunks(seen);
  }
}

void ThreadPool::runChunks(uint32_t wanted) {
  uint64_t current = ticket.load(std::memory_order_acquire);
  for (;;) {
    auto left = static_cast<uint32_t>(current);
    if (current >> 32 != wanted || left == 0)
      return;
    if (!ticket.compare_exchange_weak(current, current - 1,
                                      std::memory_order_acq_rel,
                                      std::memory_order_acquire))
      continue;
    // The job cannot end before this chunk: its fields stand still.
    uint32_t chunks = jobChunks;
    uint64_t first = (chunks - left) * jobChunk;
    (*job)(first, std::min(first + jobChunk, jobTotal));
    if (completed.fetch_add(1) + 1 == chunks && callerParked.load()) {
      std::lock_guard lock(mutex);
      done.notify_all();
    }
    current = ticket.load(std::memory_order_acquire);
  }
}

void ThreadPool::post(uint32_t chunks) {
  uint32_t next = epoch.load(std::memory_order_relaxed) + 1;
  completed.store(0, std::memory_order_relaxed);
  ticket.store(uint64_t(next) << 32 | chunks, std::memory_order_release);
  epoch.store(next);
  if (parked.load() == 0)
    return;
  {
    std::lock_guard lock(mutex);
  }
  if (chunks == 2)
    wake.notify_one();
  else
    wake.notify_all();
}

void ThreadPool::waitForCompletion(uint32_t chunks, IdleFn idle) {
  for (unsigned i = 0; i < spins; ++i) {
    if (completed.load() == chunks)
      return;
    pauseCpu();
  }
  std::unique_lock lock(mutex);
  callerParked.store(true);
  while (!done.wait_for(lock, std::chrono::milliseconds(50),
                        [&] { return completed.load() == chunks; })) {
    lock.unlock();
    idle();
    lock.lock();
  }
  callerParked.store(false);
}

void ThreadPool::signalWorkers(int signal) {
  for (std::thread &worker : workers)
    pthread_kill(worker.native_handle(), signal);
}

/// The pool whose job this thread posted: work inside it stays on the thread.
static thread_local const ThreadPool *posting = nullptr;

void ThreadPool::parallelFor(uint64_t total, uint64_t chunk, ChunkFn fn,
                             IdleFn idle) {
  if (total == 0)
    return;
  // Chunks are counted in 32 bits.
  chunk = std::max({chunk, uint64_t(1), total / UINT32_MAX + 1});
  uint64_t chunks = (total + chunk - 1) / chunk;
  std::unique_lock lock(busy, std::defer_lock);
  if (chunks == 1 || workers.empty() || posting == this || !lock.try_lock()) {
    for (uint64_t first = 0; first < total; first += chunk)
      fn(first, std::min(first + chunk, total));
    return;
  }
  job = &fn;
  jobTotal = total;
  jobChunk = chunk;
  jobChunks = static_cast<uint32_t>(chunks);
  const ThreadPool *outer = std::exchange(posting, this);
  post(jobChunks);
  runChunks(epoch.load(std::memory_order_relaxed));
  waitForCompletion(jobChunks, idle);
  posting = outer;
}
