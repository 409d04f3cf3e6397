//===- CudaKernel.cpp - The compiled forms of one kernel ------------------===//
#include "runtime/cuda/CudaKernel.h"

#include "support/CudaEntry.h"

using namespace bessemer;
using namespace bessemer::runtime::cuda;

// CUjit_option
static constexpr int errorLogBuffer = 5;
static constexpr int errorLogBufferSize = 6;

CudaKernel::~CudaKernel() {
  CudaDevice::Current current(*theDevice);
  for (auto &[form, module] : modules)
    if (module.module)
      theDevice->driver().moduleUnload(module.module);
}

Result<Handle> CudaKernel::function(const Specialisation &form) {
  std::lock_guard lock(mutex);
  Module &module = modules[form];
  if (!module.function)
    if (Status status = load(module, form); !status)
      return status.error();
  return module.function;
}

Status CudaKernel::load(Module &module, const Specialisation &form) {
  Result<std::string> ptx =
      source.ptx(theInfo.name, form, theDevice->architecture());
  if (!ptx)
    return ptx.error();
  CudaDevice::Current current(*theDevice);
  const Driver &api = theDevice->driver();
  std::string log(4096, '\0');
  int options[] = {errorLogBuffer, errorLogBufferSize};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  Code code = api.moduleLoad(&module.module, ptx->c_str(), 2, options, values);
  std::string doing =
      "loading kernel '" + theInfo.name + "' on " + theDevice->name();
  if (Status status = api.check(code, doing); !status) {
    Error error = status.error();
    if (log[0])
      error.message += std::string(": ") + log.c_str();
    return error;
  }
  return api.check(api.moduleGetFunction(&module.function, module.module,
                                         cudaEntryName(theInfo.name).c_str()),
                   doing);
}
