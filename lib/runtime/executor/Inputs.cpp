//===- Inputs.cpp - Checking and binding what the caller gives ------------===//
#include "runtime/Binding.h"
#include "runtime/StridedCopy.h"
#include "runtime/executor/PlanRun.h"

using namespace bessemer;
using namespace bessemer::runtime;

static std::string describe(DType type, const std::vector<int64_t> &shape) {
  std::string text(dtypeName(type));
  text += "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + (shape[i] < 0 ? "?" : std::to_string(shape[i]));
  return text + "]";
}

Status PlanRun::checkInput(const plan::Port &port, const Tensor &tensor) const {
  DType expected = plan.tensors[port.tensor].dtype;
  auto mismatch = [&](const char *what) {
    return fail(ErrorKind::InvalidArgument,
                "input '" + port.name + "' has an invalid " + what + ": got " +
                    describe(tensor.dtype, tensor.shape) + ", expected " +
                    describe(expected, port.shape));
  };
  if (tensor.dtype != expected)
    return mismatch("scalar type");
  if (tensor.shape.size() != port.shape.size())
    return mismatch("rank");
  for (size_t i = 0; i < port.shape.size(); ++i)
    if (tensor.shape[i] < 0 ||
        (port.shape[i] >= 0 && tensor.shape[i] != port.shape[i]))
      return mismatch("shape");
  if (!tensor.strides.empty() && tensor.strides.size() != tensor.shape.size())
    return mismatch("number of strides");
  if (!tensor.data && tensor.elementCount() != 0)
    return fail(ErrorKind::InvalidArgument,
                "input '" + port.name + "' is a null pointer");
  return {};
}

/// As it is, or a dense copy that kernels can read in vectors.
Result<Tensor> PlanRun::usableInput(const Tensor &tensor) {
  static constexpr uintptr_t vectorBytes = 16;
  bool aligned = reinterpret_cast<uintptr_t>(tensor.data) % vectorBytes == 0;
  Tensor usable = tensor;
  usable.readOnly = true;
  usable.strides.clear();
  if (tensor.isDense() && aligned)
    return usable;
  uint64_t bytes = tensor.elementCount() * dtypeSize(tensor.dtype);
  Block block = Block::allocate(bytes);
  if (!block.data)
    return fail(ErrorKind::InvalidArgument,
                "not enough memory for a copy of an input");
  usable.data = block.data.get();
  usable.owner = block.data;
  copyStrided(executor.device->pool(), tensor, usable);
  return usable;
}

Status PlanRun::bindInputs(const std::vector<Tensor> &given) {
  if (given.size() != plan.inputs.size()) {
    std::string names;
    for (const plan::Port &port : plan.inputs)
      names += (names.empty() ? "" : ", ") + port.name;
    return fail(ErrorKind::InvalidArgument,
                "takes " + std::to_string(plan.inputs.size()) + " inputs (" +
                    names + "), got " + std::to_string(given.size()));
  }
  for (size_t i = 0; i < given.size(); ++i) {
    if (Status status = checkInput(plan.inputs[i], given[i]); !status)
      return status;
    Result<Tensor> usable = usableInput(given[i]);
    if (!usable)
      return usable.error();
    inputs.push_back(std::move(*usable));
  }
  return {};
}
