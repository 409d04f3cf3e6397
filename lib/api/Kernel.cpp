//===- Kernel.cpp - Devices and kernels -----------------------------------===//
#include "api/Abi.h"
#include "api/CompilerLoader.h"
#include "api/DeviceImpl.h"
#include "api/LibraryImpl.h"
#include "runtime/Binding.h"
#include "runtime/DispatchFaults.h"
#include "runtime/Launch.h"

using namespace bessemer;

/// More than any machine has CPUs.
static constexpr unsigned threadLimit = 1024;

std::vector<std::string> Device::names() { return {"cpu"}; }

Result<Device> Device::get(std::string_view name, unsigned threads) {
  if (name != "cpu")
    return makeError(ErrorKind::NotFound, "no device named '" +
                                              std::string(name) +
                                              "'; there is: cpu");
  if (threads > threadLimit)
    return makeError(ErrorKind::InvalidArgument,
                     "device 'cpu' cannot have " + std::to_string(threads) +
                         " threads; at most " + std::to_string(threadLimit) +
                         ", 0 for one per CPU");
  return Device(
      std::make_shared<Impl>(Impl{runtime::CpuDevice::shared(threads)}));
}

struct Kernel::Impl {
  std::shared_ptr<Library::Impl> library; ///< Owns `kernel`.
  runtime::CpuKernel *kernel;
  std::shared_ptr<runtime::CpuDevice> device;
};

Result<Kernel> Kernel::create(const Library &library, std::string_view name,
                              const Device &device) {
  Result<runtime::CpuKernel *> kernel = library.handle()->kernel(name);
  if (!kernel)
    return kernel.error();
  return Kernel(std::make_shared<Impl>(
      Impl{library.handle(), *kernel, device.handle()->cpu}));
}

const KernelInfo &Kernel::info() const { return impl->kernel->info(); }

Status Kernel::run(const Dispatch &dispatch) const {
  Result<runtime::BoundDispatch> bound = runtime::bind(info(), dispatch);
  if (!bound)
    return bound.error();
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
