//===- Kernels.cpp - Dispatches of a run ----------------------------------===//
#include "plan/SourcePlaces.h"
#include "runtime/Binding.h"
#include "runtime/Launch.h"
#include "runtime/StridedCopy.h"
#include "runtime/executor/PlanRun.h"

#include <algorithm>
#include <cstring>

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::plan;

Result<Dim3> PlanRun::size(const std::array<Reg, 3> &from,
                           std::string_view kernel) const {
  Dim3 size;
  for (unsigned i = 0; i < 3; ++i) {
    int64_t value = registers[from[i]];
    if (value < 0 || value > UINT32_MAX)
      return fail(ErrorKind::InvalidArgument,
                  "kernel '" + std::string(kernel) + "' would need " +
                      std::to_string(value) + " threads in dimension " +
                      std::to_string(i));
    size[i] = value;
  }
  return size;
}

static InlineBytes bytesOf(const void *data, size_t size) {
  auto *bytes = static_cast<const std::byte *>(data);
  return {{bytes, bytes + size}};
}

Result<KernelArgument> PlanRun::argument(const KernelArg &argument) {
  if (auto *literal = std::get_if<BytesArg>(&argument))
    return KernelArgument(
        bytesOf(literal->bytes.data(), literal->bytes.size()));
  if (auto *scalars = std::get_if<ScalarArg>(&argument)) {
    std::vector<int32_t> values;
    for (Reg reg : scalars->values) {
      if (registers[reg] != int32_t(registers[reg]))
        return fail(ErrorKind::InvalidArgument,
                    "these inputs make a size of " +
                        std::to_string(registers[reg]) +
                        ", more than a kernel argument holds");
      values.push_back(registers[reg]);
    }
    return KernelArgument(bytesOf(values.data(), values.size() * 4));
  }
  auto *buffer = std::get_if<BufferArg>(&argument);
  Result<Tensor> bound =
      tensor(buffer ? buffer->tensor : std::get<TensorArg>(argument).tensor);
  if (!bound)
    return bound.error();
  return KernelArgument(std::move(*bound));
}

/// Inputs of the program and values that other steps use stay what they are:
/// a kernel that writes them writes copies.
Status PlanRun::copyWritten(std::vector<KernelArgument> &arguments,
                            std::vector<Block> &copies) {
  for (size_t number : current->writtenInputs) {
    auto *tensor = number < arguments.size()
                       ? std::get_if<Tensor>(&arguments[number])
                       : nullptr;
    if (!tensor)
      continue;
    Tensor copy = *tensor;
    copy.strides.clear();
    copy.readOnly = false;
    copies.push_back(
        executor.blocks.take(copy.elementCount() * dtypeSize(copy.dtype)));
    copy.data = copies.back().data.get();
    if (!copy.data)
      return fail(ErrorKind::InvalidArgument,
                  "not enough memory for a copy of a kernel's argument");
    copyStrided(executor.device->pool(), *tensor, copy);
    *tensor = copy;
  }
  return {};
}

/// What a kernel leaves out would else be whatever the memory held.
Status PlanRun::clearResults(const DispatchStep &step) {
  for (size_t i = step.inputs; i < step.arguments.size(); ++i) {
    const auto *argument = std::get_if<TensorArg>(&step.arguments[i]);
    if (!argument)
      continue;
    TensorId id = argument->tensor;
    bool isNew =
        plan.tensors[id].storage == Storage::Output && !blocks[id].data;
    if (isNew) {
      Result<Tensor> shape = shapeOf(id);
      Result<uint64_t> bytes = shape ? spanBytes(*shape) : shape.error();
      if (bytes)
        blocks[id] = Block::zeros(*bytes);
    }
    Result<Tensor> result = tensor(id);
    if (!result)
      return result.error();
    if (isNew || result->readOnly || !result->elementCount())
      continue;
    if (result->isDense()) {
      std::memset(result->data, 0,
                  result->elementCount() * dtypeSize(result->dtype));
      continue;
    }
    static constexpr uint64_t zero = 0;
    Tensor zeros = *result;
    zeros.data = const_cast<uint64_t *>(&zero);
    zeros.strides.assign(zeros.shape.size(), 0);
    copyStrided(executor.device->pool(), zeros, *result);
  }
  return {};
}

Status PlanRun::step(const DispatchStep &step) {
  if (step.clearsResults)
    if (Status status = clearResults(step); !status)
      return status;
  Result<Dim3> threads = size(step.threads, step.kernel);
  Result<Dim3> groupSize = size(step.groupSize, step.kernel);
  if (!threads || !groupSize)
    return threads ? groupSize.error() : threads.error();
  // Tensors without elements have no threads.
  if (std::find(threads->begin(), threads->end(), 0u) != threads->end())
    return {};
  Dispatch dispatch;
  dispatch.threads = *threads;
  dispatch.groupSize = *groupSize;
  for (const KernelArg &planned : step.arguments) {
    Result<KernelArgument> bound = argument(planned);
    if (!bound)
      return bound.error();
    dispatch.arguments.push_back(std::move(*bound));
  }
  std::vector<Block> copies;
  if (Status status = copyWritten(dispatch.arguments, copies); !status)
    return status;
  CpuKernel &kernel = *current->kernel;
  Result<BoundDispatch> bound =
      bind(kernel.info(), dispatch, {.stridedBuffers = true});
  if (!bound)
    return fail(bound.error().kind,
                inUserTerms(plan.sources[step.source], bound.error().message));
  bound->indexMessage = step.indexMessage;
  Status status = launch(*executor.device, kernel, *bound);
  if (!status)
    return fail(status.error().kind,
                inUserTerms(plan.sources[step.source], status.error().message));
  for (Block &copy : copies)
    executor.blocks.give(std::move(copy));
  return status;
}
