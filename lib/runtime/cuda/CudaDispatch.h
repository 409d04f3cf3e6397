//===- CudaDispatch.h - One dispatch on a GPU -------------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_CUDA_CUDADISPATCH_H
#define BESSEMER_RUNTIME_CUDA_CUDADISPATCH_H

#include "bessemer/abi/cuda.h"
#include "runtime/Binding.h"
#include "runtime/cuda/CudaKernel.h"
#include "runtime/cuda/DeviceCopies.h"

namespace bessemer::runtime::cuda {

/// A bound dispatch with its arrays on the GPU: upload, launch (any number of
/// times), download.
class CudaDispatch {
public:
  CudaDispatch(CudaKernel &kernel, BoundDispatch &bound);
  ~CudaDispatch();

  Status upload();
  /// Copies the arrays once more.
  Status uploadAgain() { return copies.copyToDevice(); }
  /// Starts the kernel; does not wait.
  Status launch();
  /// Waits, copies results back, and reports a subscript out of range.
  Status download();

  const DeviceCopies &arrays() const { return copies; }

private:
  void addArrays();
  Status allocateFault();
  void fillParameters();
  Status launchPart(const std::array<uint32_t, 3> &first,
                    const std::array<uint32_t, 3> &count);
  Status readFault();

  CudaKernel &kernel;
  BoundDispatch &bound;
  DeviceCopies copies;
  Handle function = nullptr;
  DeviceAddress fault = 0;
  std::vector<DeviceAddress> pointers;
  std::vector<bsm_tensor> descriptors;
  std::vector<void *> parameters;
  bsm_cuda_launch record{};
};

/// All of it: arrays to the GPU, all threadgroups, results back.
Status launch(CudaKernel &kernel, BoundDispatch &bound);

} // namespace bessemer::runtime::cuda

#endif // BESSEMER_RUNTIME_CUDA_CUDADISPATCH_H
