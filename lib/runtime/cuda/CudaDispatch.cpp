//===- CudaDispatch.cpp - One dispatch on a GPU ---------------------------===//
#include "runtime/cuda/CudaDispatch.h"

#include "runtime/DispatchFaults.h"
#include "runtime/Launch.h"
#include "support/CudaEntry.h"

#include <algorithm>

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::runtime::cuda;

/// Blocks of one launch by dimension.
static constexpr std::array<uint32_t, 3> largestGrid{0x7fffffff, 65535, 65535};
static constexpr uint32_t largestDepth = 64; ///< Threads of a block along z.

CudaDispatch::CudaDispatch(CudaKernel &kernel, BoundDispatch &bound)
    : kernel(kernel), bound(bound), copies(kernel.device()) {}

CudaDispatch::~CudaDispatch() {
  if (!fault)
    return;
  CudaDevice::Current current(kernel.device());
  kernel.device().driver().memoryFree(fault);
}

void CudaDispatch::addArrays() {
  const KernelInfo &info = kernel.info();
  std::vector<CudaParameter> forms = cudaParameters(info);
  for (size_t i = 0; i < forms.size(); ++i) {
    const Argument &argument = info.arguments[i];
    const bsm_slot &slot = bound.launch.buffers[argument.index];
    bool isWritten = argument.access != Access::Read;
    if (forms[i] == CudaParameter::Pointer)
      copies.add(slot.address, slot.bytes, isWritten);
    if (forms[i] != CudaParameter::Descriptor)
      continue;
    const auto &tensor = *static_cast<const bsm_tensor *>(slot.address);
    copies.add(tensor.address, tensor.bytes, isWritten);
  }
}

Status CudaDispatch::allocateFault() {
  const auto &arguments = kernel.info().arguments;
  if (std::none_of(arguments.begin(), arguments.end(), [](const Argument &a) {
        return a.kind == ArgumentKind::Tensor;
      }))
    return {};
  CudaDevice::Current current(kernel.device());
  const Driver &api = kernel.device().driver();
  if (Status status =
          api.check(api.memoryAllocate(&fault, sizeof(bsm_cuda_fault)),
                    "allocating memory on " + kernel.device().name());
      !status)
    return status;
  return api.check(api.memorySet(fault, 0, sizeof(bsm_cuda_fault)),
                   "clearing memory on " + kernel.device().name());
}

void CudaDispatch::fillParameters() {
  const KernelInfo &info = kernel.info();
  std::vector<CudaParameter> forms = cudaParameters(info);
  // Parameters point into these.
  pointers.reserve(forms.size());
  descriptors.reserve(forms.size());
  for (size_t i = 0; i < forms.size(); ++i) {
    const bsm_slot &slot = bound.launch.buffers[info.arguments[i].index];
    switch (forms[i]) {
    case CudaParameter::None:
      break;
    case CudaParameter::Pointer:
      pointers.push_back(copies.address(slot.address));
      parameters.push_back(&pointers.back());
      break;
    case CudaParameter::Value:
      parameters.push_back(slot.address);
      break;
    case CudaParameter::Descriptor:
      descriptors.push_back(*static_cast<const bsm_tensor *>(slot.address));
      descriptors.back().address =
          reinterpret_cast<void *>(copies.address(descriptors.back().address));
      parameters.push_back(&descriptors.back());
      break;
    }
  }
  const bsm_launch &launch = bound.launch;
  for (unsigned axis = 0; axis < 3; ++axis) {
    record.threads_per_grid[axis] = launch.threads_per_grid[axis];
    record.threadgroups_per_grid[axis] = launch.threadgroups_per_grid[axis];
    record.threads_per_threadgroup[axis] = launch.threads_per_threadgroup[axis];
  }
  std::copy(std::begin(launch.threadgroup_offset),
            std::end(launch.threadgroup_offset), record.threadgroup_offset);
  record.fault = fault;
  parameters.push_back(&record);
}

Status CudaDispatch::upload() {
  const uint32_t *size = bound.launch.threads_per_threadgroup;
  if (size[2] > largestDepth)
    return makeError(ErrorKind::Unsupported,
                     "kernel '" + kernel.info().name + "': a threadgroup is " +
                         std::to_string(size[2]) +
                         " threads deep; NVIDIA GPUs allow 64");
  Result<Handle> code = kernel.function(specialisationFor(bound.launch));
  if (!code)
    return code.error();
  function = *code;
  placeThreadgroupMemory(bound, 0);
  addArrays();
  if (Status status = copies.upload(); !status)
    return status;
  if (Status status = allocateFault(); !status)
    return status;
  fillParameters();
  return {};
}

Status CudaDispatch::launchPart(const std::array<uint32_t, 3> &first,
                                const std::array<uint32_t, 3> &count) {
  std::copy(first.begin(), first.end(), record.first_group);
  const uint32_t *size = bound.launch.threads_per_threadgroup;
  const Driver &api = kernel.device().driver();
  return api.check(api.launchKernel(function, count[0], count[1], count[2],
                                    size[0], size[1], size[2],
                                    bound.launch.threadgroup_bytes, nullptr,
                                    parameters.data(), nullptr),
                   "launching kernel '" + kernel.info().name + "' on " +
                       kernel.device().name());
}

Status CudaDispatch::launch() {
  CudaDevice::Current current(kernel.device());
  const uint32_t *groups = bound.launch.threadgroups_per_grid;
  std::array<uint32_t, 3> at;
  auto rest = [&](unsigned axis) {
    return std::min(groups[axis] - at[axis], largestGrid[axis]);
  };
  for (at[2] = 0; at[2] < groups[2]; at[2] += rest(2))
    for (at[1] = 0; at[1] < groups[1]; at[1] += rest(1))
      for (at[0] = 0; at[0] < groups[0]; at[0] += rest(0))
        if (Status status = launchPart(at, {rest(0), rest(1), rest(2)});
            !status)
          return status;
  return {};
}

Status CudaDispatch::readFault() {
  if (!fault)
    return {};
  bsm_cuda_fault found{};
  const Driver &api = kernel.device().driver();
  if (Status status = api.check(api.copyToHost(&found, fault, sizeof(found)),
                                "reading memory of " + kernel.device().name());
      !status)
    return status;
  if (!found.claimed)
    return {};
  DispatchFaults faults(kernel.info(), bound.launch);
  for (const bsm_tensor &tensor : bound.descriptors)
    if (tensor.argument == found.argument)
      DispatchFaults::services.index_fault(&faults, &tensor, found.dimension,
                                           found.index, found.line);
  if (std::optional<Error> error = faults.first())
    return *error;
  return makeError(ErrorKind::Internal, "kernel '" + kernel.info().name +
                                            "' reported a fault of a tensor "
                                            "that it does not have");
}

Status CudaDispatch::download() {
  CudaDevice::Current current(kernel.device());
  const Driver &api = kernel.device().driver();
  // A fault of the GPU itself ends the context, for the whole process.
  if (Status status = api.check(api.contextSynchronize(),
                                "kernel '" + kernel.info().name + "' on " +
                                    kernel.device().name());
      !status)
    return status;
  if (Status status = copies.download(); !status)
    return status;
  return readFault();
}

Status cuda::launch(CudaKernel &kernel, BoundDispatch &bound) {
  if (bound.groupCount == 0)
    return {};
  CudaDispatch dispatch(kernel, bound);
  if (Status status = dispatch.upload(); !status)
    return status;
  if (Status status = dispatch.launch(); !status)
    return status;
  return dispatch.download();
}
