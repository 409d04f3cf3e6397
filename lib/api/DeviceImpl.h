//===- DeviceImpl.h - Where kernels run -------------------------*- C++ -*-===//
#ifndef BESSEMER_API_DEVICEIMPL_H
#define BESSEMER_API_DEVICEIMPL_H

#include "bessemer/kernel.h"
#include "runtime/CpuDevice.h"
#include "runtime/cuda/CudaDevice.h"

/// One of the two.
struct bessemer::Device::Impl {
  std::shared_ptr<runtime::CpuDevice> cpu;
  std::shared_ptr<runtime::cuda::CudaDevice> cuda;
};

#endif // BESSEMER_API_DEVICEIMPL_H
