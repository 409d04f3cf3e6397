//===- CpuDevice.h - The CPUs of this process -------------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_CPUDEVICE_H
#define BESSEMER_RUNTIME_CPUDEVICE_H

#include "runtime/Fork.h"
#include "runtime/ThreadPool.h"

#include <memory>

namespace bessemer::runtime {

/// A thread pool that is made on first use.
class CpuDevice {
public:
  /// `threads` = 0: one per available CPU.
  explicit CpuDevice(unsigned threads);
  CpuDevice(const CpuDevice &) = delete;
  CpuDevice &operator=(const CpuDevice &) = delete;

  unsigned threads() const { return threadCount; }
  ThreadPool &pool() { return pools.get(threadCount); }

  /// The device with so many threads that everybody shares.
  static std::shared_ptr<CpuDevice> shared(unsigned threads);

private:
  unsigned threadCount;
  ForkLocal<ThreadPool> pools;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_CPUDEVICE_H
