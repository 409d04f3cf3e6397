//===- Outputs.cpp - Results that own their memory ------------------------===//
#include "runtime/StridedCopy.h"
#include "runtime/executor/PlanRun.h"

using namespace bessemer;
using namespace bessemer::runtime;

Result<Tensor> PlanRun::takeOutput(size_t number) {
  const plan::Port &port = plan.outputs[number];
  Result<Tensor> found = tensor(port.tensor);
  if (!found)
    return found;
  for (size_t i = 0; i < port.shape.size(); ++i)
    if (port.shape[i] >= 0 && found->shape[i] != port.shape[i])
      return fail(ErrorKind::Internal,
                  "result '" + port.name + "' has extent " +
                      std::to_string(found->shape[i]) + " in dimension " +
                      std::to_string(i) + ", declared " +
                      std::to_string(port.shape[i]));
  found->readOnly = false;
  const plan::TensorInfo &info = plan.tensors[port.tensor];
  if (info.storage == plan::Storage::Output && info.index == number &&
      found->isDense()) {
    found->strides.clear();
    found->owner = blocks[port.tensor].data;
    return found;
  }
  // A view, an input or another result: the caller gets a copy of its own.
  Block block =
      Block::allocate(found->elementCount() * dtypeSize(found->dtype));
  if (!block.data)
    return fail(ErrorKind::InvalidArgument,
                "not enough memory for result '" + port.name + "'");
  Tensor copy = *found;
  copy.strides.clear();
  copy.data = block.data.get();
  copy.owner = block.data;
  copyStrided(executor.device->pool(), *found, copy);
  return copy;
}

Result<std::vector<Tensor>> PlanRun::takeOutputs() {
  std::vector<Tensor> results;
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    Result<Tensor> result = takeOutput(i);
    if (!result)
      return result.error();
    results.push_back(std::move(*result));
  }
  // What was not freed on the way (a result that had to be copied).
  for (plan::TensorId id = 0; id < plan.tensors.size(); ++id)
    if (plan.tensors[id].storage == plan::Storage::Arena)
      executor.blocks.give(std::move(blocks[id]));
  return results;
}
