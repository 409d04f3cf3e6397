//===- Kernel.cpp - Devices and kernels -----------------------------------===//
#include "api/Abi.h"
#include "api/CompilerLoader.h"
#include "api/DeviceImpl.h"
#include "api/LibraryImpl.h"
#include "runtime/Binding.h"
#include "runtime/DispatchFaults.h"
#include "runtime/Launch.h"
#include "runtime/cuda/CudaDispatch.h"

using namespace bessemer;

/// More than any machine has CPUs.
static constexpr unsigned threadLimit = 1024;

std::vector<std::string> Device::names() {
  std::vector<std::string> names{"cpu"};
  for (std::string &name : runtime::cuda::CudaDevice::names())
    names.push_back(std::move(name));
  return names;
}

static Result<Device> cudaDevice(std::string_view name) {
  Result<std::shared_ptr<runtime::cuda::CudaDevice>> device =
      runtime::cuda::CudaDevice::get(name);
  if (!device)
    return device.error();
  return Device(std::make_shared<Device::Impl>(Device::Impl{nullptr, *device}));
}

Result<Device> Device::get(std::string_view name, unsigned threads) {
  if (name.starts_with("cuda:"))
    return cudaDevice(name);
  if (name != "cpu") {
    std::string known;
    for (const std::string &device : names())
      known += (known.empty() ? "" : ", ") + device;
    return makeError(ErrorKind::NotFound, "no device named '" +
                                              std::string(name) +
                                              "'; there is: " + known);
  }
  if (threads > threadLimit)
    return makeError(ErrorKind::InvalidArgument,
                     "device 'cpu' cannot have " + std::to_string(threads) +
                         " threads; at most " + std::to_string(threadLimit) +
                         ", 0 for one per CPU");
  return Device(std::make_shared<Impl>(
      Impl{runtime::CpuDevice::shared(threads), nullptr}));
}

struct Kernel::Impl {
  std::shared_ptr<Library::Impl> library; ///< Owns `kernel`.
  runtime::CpuKernel *kernel;
  std::shared_ptr<runtime::CpuDevice> device;
  runtime::cuda::CudaKernel *cudaKernel = nullptr; ///< Set on a GPU.
};

Result<Kernel> Kernel::create(const Library &library, std::string_view name,
                              const Device &device) {
  Result<runtime::CpuKernel *> kernel = library.handle()->kernel(name);
  if (!kernel)
    return kernel.error();
  const Device::Impl &where = *device.handle();
  if (where.cpu)
    return Kernel(
        std::make_shared<Impl>(Impl{library.handle(), *kernel, where.cpu}));
  Result<runtime::cuda::CudaKernel *> cudaKernel =
      library.handle()->kernel(name, where.cuda);
  if (!cudaKernel)
    return cudaKernel.error();
  return Kernel(std::make_shared<Impl>(
      Impl{library.handle(), *kernel, nullptr, *cudaKernel}));
}

const KernelInfo &Kernel::info() const { return impl->kernel->info(); }

Status Kernel::run(const Dispatch &dispatch) const {
  Result<runtime::BoundDispatch> bound = runtime::bind(info(), dispatch);
  if (!bound)
    return bound.error();
  if (impl->cudaKernel)
    return runtime::cuda::launch(*impl->cudaKernel, *bound);
  return runtime::launch(*impl->device, *impl->kernel, *bound);
}

Status Kernel::interpret(const Dispatch &dispatch) const {
  Result<runtime::BoundDispatch> bound = runtime::bind(info(), dispatch);
  if (!bound)
    return bound.error();
  if (bound->groupCount == 0)
    return {};
  Result<bsm_ir_library *> ir = impl->library->ir();
  if (!ir)
    return ir.error();
  Result<const bsm_compiler_api *> table = api::compiler();
  if (!table)
    return table.error();
  runtime::placeThreadgroupMemory(*bound, info().staticThreadgroupMemory);
  runtime::DispatchFaults faults(info(), bound->launch);
  bound->launch.services = &runtime::DispatchFaults::services;
  bound->launch.dispatch = &faults;
  Status status = api::call(**table, &bsm_compiler_api::interpret, *ir,
                            api::text(info().name),
                            static_cast<const void *>(&bound->launch));
  if (std::optional<Error> fault = faults.first())
    return *fault;
  return status;
}
