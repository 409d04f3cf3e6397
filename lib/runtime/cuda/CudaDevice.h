//===- CudaDevice.h - One NVIDIA GPU ----------------------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_CUDA_CUDADEVICE_H
#define BESSEMER_RUNTIME_CUDA_CUDADEVICE_H

#include "runtime/cuda/Driver.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bessemer::runtime::cuda {

/// A GPU with its primary context, which other libraries of the process share.
class CudaDevice {
public:
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  /// "cuda:0" ... ; none without a driver.
  static std::vector<std::string> names();
  /// An Error for a name that is none of them, with the reason.
  static Result<std::shared_ptr<CudaDevice>> get(std::string_view name);

  const Driver &driver() const { return api; }
  std::string name() const { return "cuda:" + std::to_string(ordinal); }
  const std::string &model() const { return theModel; }
  /// "sm_90"
  const std::string &architecture() const { return theArchitecture; }

  /// Makes the context current on this thread for its lifetime.
  class Current {
  public:
    explicit Current(const CudaDevice &device) : api(device.api) {
      api.contextPush(device.context);
    }
    ~Current() {
      Handle popped;
      api.contextPop(&popped);
    }
    Current(const Current &) = delete;
    Current &operator=(const Current &) = delete;

  private:
    const Driver &api;
  };

private:
  CudaDevice(const Driver &api, int ordinal) : api(api), ordinal(ordinal) {}
  Status open();

  const Driver &api;
  int ordinal;
  int device = 0;
  Handle context = nullptr;
  std::string theModel, theArchitecture;
};

} // namespace bessemer::runtime::cuda

#endif // BESSEMER_RUNTIME_CUDA_CUDADEVICE_H
