//===- DeviceCopies.h - Host memory mirrored on a GPU -----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_CUDA_DEVICECOPIES_H
#define BESSEMER_RUNTIME_CUDA_DEVICECOPIES_H

#include "runtime/cuda/CudaDevice.h"

namespace bessemer::runtime::cuda {

/// Copies of the arrays of one dispatch. Arrays that overlap share a copy, so
/// that a kernel sees one array through two arguments as it would on the host.
class DeviceCopies {
public:
  explicit DeviceCopies(CudaDevice &device) : device(device) {}
  ~DeviceCopies();
  DeviceCopies(const DeviceCopies &) = delete;
  DeviceCopies &operator=(const DeviceCopies &) = delete;

  void add(void *host, uint64_t bytes, bool isWritten);
  /// Allocates and copies everything that was added.
  Status upload();
  Status copyToDevice();
  /// Copies back what is written.
  Status download();
  /// Address of the copy of an address in one of the arrays; 0 for others.
  DeviceAddress address(const void *host) const;

private:
  struct Range {
    uintptr_t begin, end;
    bool isWritten;
    DeviceAddress allocation = 0, copy = 0;
  };
  void mergeOverlapping();

  CudaDevice &device;
  std::vector<Range> ranges;
};

} // namespace bessemer::runtime::cuda

#endif // BESSEMER_RUNTIME_CUDA_DEVICECOPIES_H
