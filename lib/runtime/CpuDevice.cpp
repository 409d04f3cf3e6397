//===- CpuDevice.cpp - The CPUs of this process ---------------------------===//
#include "runtime/CpuDevice.h"

#include <map>
#include <mutex>

using namespace bessemer::runtime;

CpuDevice::CpuDevice(unsigned threads)
    : threadCount(threads ? threads : availableCpus()) {}

std::shared_ptr<CpuDevice> CpuDevice::shared(unsigned threads) {
  ForkSection section;
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
