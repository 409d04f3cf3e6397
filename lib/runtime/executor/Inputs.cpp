//===- Inputs.cpp - Checking and binding what the caller gives ------------===//
#include "runtime/Binding.h"
#include "runtime/StridedCopy.h"
#include "runtime/executor/PlanRun.h"

#include <algorithm>

using namespace bessemer;
using namespace bessemer::runtime;

static std::string describe(DType type, const std::vector<int64_t> &shape) {
  std::string text(dtypeName(type));
  text += "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + (shape[i] < 0 ? "?" : std::to_string(shape[i]));
  return text + "]";
}

Status PlanRun::checkPort(const char *what, const plan::Port &port,
                          const Tensor &tensor) const {
  DType expected = plan.tensors[port.tensor].dtype;
  std::string name = what + (" '" + port.name + "'");
  auto mismatch = [&](const char *part) {
    return fail(ErrorKind::InvalidArgument,
                name + " has an invalid " + part + ": got " +
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
    return fail(ErrorKind::InvalidArgument, name + " is a null pointer");
  return {};
}

/// Bytes of dense booleans as 0 and 1, which is all that kernels know. NumPy
/// and PyTorch show any other byte as true.
static void normaliseBools(const Tensor &tensor) {
  auto *bytes = static_cast<uint8_t *>(tensor.data);
  for (uint64_t i = 0, count = tensor.elementCount(); i < count; ++i)
    bytes[i] = bytes[i] != 0;
}

static bool hasOtherBools(const Tensor &tensor) {
  if (tensor.dtype != DType::Bool || !tensor.isDense())
    return false;
  auto *bytes = static_cast<const uint8_t *>(tensor.data);
  uint8_t all = 0;
  for (uint64_t i = 0, count = tensor.elementCount(); i < count; ++i)
    all |= bytes[i];
  return all > 1;
}

/// As it is, or a dense copy that kernels can read in vectors.
Result<Tensor> PlanRun::usableInput(const Tensor &tensor) {
  static constexpr uintptr_t vectorBytes = 16;
  bool aligned = reinterpret_cast<uintptr_t>(tensor.data) % vectorBytes == 0;
  Tensor usable = tensor;
  usable.readOnly = true;
  usable.strides.clear();
  if (tensor.isDense() && aligned && !overlapsState(tensor) &&
      !hasOtherBools(tensor))
    return usable;
  uint64_t bytes = tensor.elementCount() * dtypeSize(tensor.dtype);
  Block block = Block::allocate(bytes);
  if (!block.data)
    return fail(ErrorKind::InvalidArgument,
                "not enough memory for a copy of an input");
  usable.data = block.data.get();
  usable.owner = block.data;
  copyStrided(executor.device->pool(), tensor, usable);
  if (usable.dtype == DType::Bool)
    normaliseBools(usable);
  return usable;
}

Status PlanRun::checkCount(const char *what,
                           const std::vector<plan::Port> &ports,
                           size_t given) const {
  if (given == ports.size())
    return {};
  std::string names;
  for (const plan::Port &port : ports)
    names += (names.empty() ? "" : ", ") + port.name;
  return fail(ErrorKind::InvalidArgument,
              "takes " + std::to_string(ports.size()) + " " + what + " (" +
                  names + "), got " + std::to_string(given));
}

Status PlanRun::bindInputs(const std::vector<Tensor> &given) {
  if (Status status = checkCount("inputs", plan.inputs, given.size()); !status)
    return status;
  for (size_t i = 0; i < given.size(); ++i) {
    if (Status status = checkPort("input", plan.inputs[i], given[i]); !status)
      return status;
    Result<Tensor> usable = usableInput(given[i]);
    if (!usable)
      return usable.error();
    inputs.push_back(std::move(*usable));
  }
  return {};
}

/// Bytes that the view's memory takes, from its first element on.
static bool overlap(const Tensor &a, const Tensor &b) {
  Result<uint64_t> aBytes = spanBytes(a), bBytes = spanBytes(b);
  auto aBegin = reinterpret_cast<uintptr_t>(a.data),
       bBegin = reinterpret_cast<uintptr_t>(b.data);
  return aBytes && bBytes && aBegin < bBegin + *bBytes &&
         bBegin < aBegin + *aBytes;
}

bool PlanRun::overlapsState(const Tensor &tensor) const {
  return std::any_of(states.begin(), states.end(), [&](const Tensor &state) {
    return overlap(tensor, state);
  });
}

Status PlanRun::bindStates(const std::vector<Tensor> &given) {
  if (Status status = checkCount("states", plan.states, given.size()); !status)
    return status;
  for (size_t i = 0; i < given.size(); ++i) {
    const plan::Port &port = plan.states[i];
    if (Status status = checkPort("state", port, given[i]); !status)
      return status;
    if (given[i].readOnly)
      return fail(ErrorKind::InvalidArgument,
                  "state '" + port.name +
                      "' is read-only; a run writes it: pass a writable array");
    for (size_t axis = 0; axis < given[i].strides.size(); ++axis)
      if (given[i].strides[axis] == 0 && given[i].shape[axis] > 1)
        return fail(ErrorKind::InvalidArgument,
                    "state '" + port.name +
                        "' has elements that share memory "
                        "(stride 0 in dimension " +
                        std::to_string(axis) + "); pass a copy");
    for (size_t other = 0; other < i; ++other)
      if (overlap(given[i], given[other]))
        return fail(ErrorKind::InvalidArgument,
                    "states '" + plan.states[other].name + "' and '" +
                        port.name + "' share memory; pass an array for each");
    Result<Tensor> usable = usableInput(given[i]);
    if (!usable)
      return usable.error();
    states.push_back(std::move(*usable));
  }
  return {};
}

/// States that kernels could not use where they are were copied.
void PlanRun::writeBackStates(const std::vector<Tensor> &given) {
  for (size_t i = 0; i < states.size(); ++i)
    if (states[i].data != given[i].data)
      copyStrided(executor.device->pool(), states[i], given[i]);
}
