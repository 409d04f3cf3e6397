//===- DeviceImpl.h - Where kernels run -------------------------*- C++ -*-===//
#ifndef BESSEMER_API_DEVICEIMPL_H
#define BESSEMER_API_DEVICEIMPL_H

#include "bessemer/kernel.h"
#include "runtime/CpuDevice.h"

struct bessemer::Device::Impl {
  std::shared_ptr<runtime::CpuDevice> cpu;
};

#endif // BESSEMER_API_DEVICEIMPL_H
