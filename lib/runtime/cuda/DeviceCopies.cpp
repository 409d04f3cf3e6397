//===- DeviceCopies.cpp - Host memory mirrored on a GPU -------------------===//
#include "runtime/cuda/DeviceCopies.h"

#include <algorithm>

using namespace bessemer;
using namespace bessemer::runtime::cuda;

/// Copies keep the alignment of their originals up to this.
static constexpr uintptr_t alignment = 256;

DeviceCopies::~DeviceCopies() {
  CudaDevice::Current current(device);
  for (const Range &range : ranges)
    if (range.allocation)
      device.driver().memoryFree(range.allocation);
}

void DeviceCopies::add(void *host, uint64_t bytes, bool isWritten) {
  auto begin = reinterpret_cast<uintptr_t>(host);
  if (bytes)
    ranges.push_back({begin, begin + bytes, isWritten});
}

void DeviceCopies::mergeOverlapping() {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range &a, const Range &b) { return a.begin < b.begin; });
  std::vector<Range> merged;
  for (const Range &range : ranges)
    if (!merged.empty() && range.begin < merged.back().end) {
      merged.back().end = std::max(merged.back().end, range.end);
      merged.back().isWritten |= range.isWritten;
    } else {
      merged.push_back(range);
    }
  ranges = std::move(merged);
}

Status DeviceCopies::upload() {
  mergeOverlapping();
  CudaDevice::Current current(device);
  const Driver &api = device.driver();
  for (Range &range : ranges) {
    uint64_t bytes = range.end - range.begin;
    std::string doing =
        "allocating " + std::to_string(bytes) + " bytes on " + device.name();
    if (Status status = api.check(
            api.memoryAllocate(&range.allocation, bytes + alignment), doing);
        !status)
      return status;
    range.copy = range.allocation + range.begin % alignment;
  }
  return copyToDevice();
}

Status DeviceCopies::copyToDevice() {
  CudaDevice::Current current(device);
  const Driver &api = device.driver();
  for (const Range &range : ranges) {
    Code code = api.copyToDevice(range.copy,
                                 reinterpret_cast<const void *>(range.begin),
                                 range.end - range.begin);
    if (Status status = api.check(code, "copying an array to " + device.name());
        !status)
      return status;
  }
  return {};
}

Status DeviceCopies::download() {
  CudaDevice::Current current(device);
  const Driver &api = device.driver();
  for (const Range &range : ranges) {
    if (!range.isWritten)
      continue;
    Code code = api.copyToHost(reinterpret_cast<void *>(range.begin),
                               range.copy, range.end - range.begin);
    if (Status status =
            api.check(code, "copying an array from " + device.name());
        !status)
      return status;
  }
  return {};
}

DeviceAddress DeviceCopies::address(const void *host) const {
  auto value = reinterpret_cast<uintptr_t>(host);
  for (const Range &range : ranges)
    if (value >= range.begin && value < range.end)
      return range.copy + (value - range.begin);
  return 0;
}
