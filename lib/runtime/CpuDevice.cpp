//===- CpuDevice.cpp - The CPUs of this process ---------------------------===//
#include "runtime/CpuDevice.h"

#include <map>
#include <pthread.h>

using namespace bessemer::runtime;

/// Counts the forks that led to this process.
static std::atomic<unsigned> forks{0};

static unsigned forkGeneration() {
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1); });
  (void)registered;
  return forks.load();
}

/// One process' pool.
struct CpuDevice::Generation {
  unsigned fork;
  ThreadPool pool;
  Generation(unsigned fork, unsigned threads) : fork(fork), pool(threads) {}
};

CpuDevice::CpuDevice(unsigned threads)
    : threadCount(threads ? threads : availableCpus()) {}

CpuDevice::~CpuDevice() {
  // The parent's pool cannot be joined here: it is left alone.
  Generation *generation = current.load();
  if (generation && generation->fork == forkGeneration())
    delete generation;
}

ThreadPool &CpuDevice::pool() {
  // No lock: one that another thread held during a fork would stay locked.
  unsigned fork = forkGeneration();
  Generation *generation = current.load(std::memory_order_acquire);
  while (!generation || generation->fork != fork) {
    auto *fresh = new Generation(fork, threadCount);
    if (current.compare_exchange_strong(generation, fresh))
      return fresh->pool;
    delete fresh;
  }
  return generation->pool;
}

std::shared_ptr<CpuDevice> CpuDevice::shared(unsigned threads) {
  static std::mutex mutex;
  // Never destroyed: threads may run during static destruction.
  static auto &devices = *new std::map<unsigned, std::weak_ptr<CpuDevice>>;
  unsigned count = threads ? threads : availableCpus();
  std::lock_guard lock(mutex);
  std::shared_ptr<CpuDevice> device = devices[count].lock();
  if (!device)
    devices[count] = device = std::make_shared<CpuDevice>(count);
  return device;
}
