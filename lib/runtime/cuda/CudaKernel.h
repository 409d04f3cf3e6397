//===- CudaKernel.h - The compiled forms of one kernel ----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_CUDA_CUDAKERNEL_H
#define BESSEMER_RUNTIME_CUDA_CUDAKERNEL_H

#include "bessemer/reflection.h"
#include "runtime/Specialisation.h"
#include "runtime/cuda/CudaDevice.h"

#include <map>
#include <mutex>

namespace bessemer::runtime::cuda {

/// Where PTX comes from: the compiler half or a file.
class PtxSource {
public:
  virtual ~PtxSource() = default;
  virtual Result<std::string> ptx(std::string_view kernel,
                                  const Specialisation &form,
                                  std::string_view architecture) = 0;
};

/// The forms of a kernel on one device, each made on first use. Thread-safe.
class CudaKernel {
public:
  /// `source` must outlive the kernel.
  CudaKernel(KernelInfo info, PtxSource &source,
             std::shared_ptr<CudaDevice> device)
      : theInfo(std::move(info)), source(source), theDevice(std::move(device)) {
  }
  ~CudaKernel();

  const KernelInfo &info() const { return theInfo; }
  CudaDevice &device() const { return *theDevice; }
  /// A CUfunction; lives as long as this kernel.
  Result<Handle> function(const Specialisation &form);

private:
  struct Module {
    Handle module = nullptr;
    Handle function = nullptr;
  };
  Status load(Module &module, const Specialisation &form);

  KernelInfo theInfo;
  PtxSource &source;
  std::shared_ptr<CudaDevice> theDevice;
  std::mutex mutex;
  std::map<Specialisation, Module> modules;
};

} // namespace bessemer::runtime::cuda

#endif // BESSEMER_RUNTIME_CUDA_CUDAKERNEL_H
