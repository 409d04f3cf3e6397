//===- Driver.h - The CUDA driver, loaded when it is needed -----*- C++ -*-===//
//
// The driver's library is all that kernels on NVIDIA GPUs need: no toolkit and
// no CUDA runtime. It is opened on first use.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_RUNTIME_CUDA_DRIVER_H
#define BESSEMER_RUNTIME_CUDA_DRIVER_H

#include "bessemer/result.h"

#include <cstddef>
#include <cstdint>

namespace bessemer::runtime::cuda {

using Code = int;      ///< CUresult
using Handle = void *; ///< CUcontext, CUmodule, CUfunction, CUevent ...
using DeviceAddress = uint64_t; ///< CUdeviceptr

struct Driver {
#define CUDA_FUNCTION(name, symbol, ...) Code (*name)(__VA_ARGS__) = nullptr;
#include "runtime/cuda/Functions.def"

  /// The driver, initialised; an Error that says what is missing.
  static Result<const Driver *> get();

  /// Success, or an Error that says what failed, with the driver's words.
  Status check(Code code, const std::string &doing) const;
};

} // namespace bessemer::runtime::cuda

#endif // BESSEMER_RUNTIME_CUDA_DRIVER_H
