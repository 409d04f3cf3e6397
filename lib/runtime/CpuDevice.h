//===- CpuDevice.h - The CPUs of this process -------------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_CPUDEVICE_H
#define BESSEMER_RUNTIME_CPUDEVICE_H

#include "runtime/ThreadPool.h"

#include <memory>

namespace bessemer::runtime {

/// A thread pool that is made on first use and again in a forked child, whose
/// copy of the parent's pool has no threads.
class CpuDevice {
public:
  /// `threads` = 0: one per available CPU.
  explicit CpuDevice(unsigned threads);
  ~CpuDevice();
  CpuDevice(const CpuDevice &) = delete;
  CpuDevice &operator=(const CpuDevice &) = delete;

  unsigned threads() const { return threadCount; }
  ThreadPool &pool();

  /// The device with so many threads that everybody shares.
  static std::shared_ptr<CpuDevice> shared(unsigned threads);

private:
  struct Generation;
  unsigned threadCount;
  std::atomic<Generation *> current{nullptr};
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_CPUDEVICE_H
