//===- Storage.cpp - Shapes and memory of a run's tensors -----------------===//
#include "runtime/Binding.h"
#include "runtime/executor/PlanRun.h"

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::plan;

/// Shape and strides from the registers, without memory.
Result<Tensor> PlanRun::shapeOf(TensorId id) const {
  const TensorInfo &info = plan.tensors[id];
  Tensor tensor;
  tensor.dtype = info.dtype;
  for (Reg reg : info.shape)
    tensor.shape.push_back(registers[reg]);
  for (Reg reg : info.strides)
    tensor.strides.push_back(registers[reg]);
  for (int64_t extent : tensor.shape)
    if (extent < 0)
      return fail(ErrorKind::InvalidArgument,
                  "these inputs make a tensor with an extent of " +
                      std::to_string(extent));
  return tensor;
}

/// The first element of a tensor with bytes of its own.
Result<std::byte *> PlanRun::storageOf(TensorId id) {
  const TensorInfo &info = plan.tensors[id];
  if (info.storage == Storage::Input)
    return static_cast<std::byte *>(inputs[info.index].data);
  if (info.storage == Storage::State)
    return static_cast<std::byte *>(states[info.index].data);
  if (info.storage == Storage::Constant)
    return static_cast<std::byte *>(executor.constants.data.get()) +
           info.offset;
  if (info.storage == Storage::File)
    return reinterpret_cast<std::byte *>(
        const_cast<char *>(executor.file.bytes.data() + info.offset));
  Block &block = blocks[id];
  if (block.data)
    return static_cast<std::byte *>(block.data.get());
  Result<Tensor> shape = shapeOf(id);
  if (!shape)
    return shape.error();
  Result<uint64_t> bytes = spanBytes(*shape);
  if (!bytes)
    return fail(ErrorKind::InvalidArgument,
                "these inputs make a tensor that " + bytes.error().message);
  // Results leave with the caller: only intermediate memory is reused.
  block = info.storage == Storage::Arena ? executor.blocks.take(*bytes)
                                         : Block::allocate(*bytes);
  if (!block.data)
    return fail(ErrorKind::InvalidArgument,
                "not enough memory for a tensor of " + std::to_string(*bytes) +
                    " bytes");
  return static_cast<std::byte *>(block.data.get());
}

/// Bytes that a base tensor holds.
static uint64_t heldBytes(const TensorInfo &info, const Tensor &shape) {
  if (info.storage == Storage::Constant || info.storage == Storage::File)
    return info.bytes;
  Result<uint64_t> span = spanBytes(shape);
  return span ? *span : 0;
}

Result<Tensor> PlanRun::tensor(TensorId id) {
  TensorId base = baseTensor(plan, id);
  Result<std::byte *> data = storageOf(base);
  if (!data)
    return data.error();
  Result<Tensor> baseShape = shapeOf(base), result = shapeOf(id);
  if (!baseShape || !result)
    return baseShape ? result : baseShape;
  int64_t offset = 0;
  for (TensorId alias = id; alias != base; alias = plan.tensors[alias].index)
    offset += registers[plan.tensors[alias].offsetReg] *
              int64_t(dtypeSize(plan.tensors[alias].dtype));
  // A view must stay inside: its shape may come from the caller's inputs.
  Result<uint64_t> span = spanBytes(*result);
  uint64_t held = heldBytes(plan.tensors[base], *baseShape);
  if (!span)
    return fail(ErrorKind::InvalidArgument,
                "these inputs make a view that " + span.error().message);
  if (*span && (offset < 0 || uint64_t(offset) > held ||
                *span > held - uint64_t(offset)))
    return fail(ErrorKind::InvalidArgument,
                "these inputs make a view of " + std::to_string(*span) +
                    " bytes at byte " + std::to_string(offset) +
                    " of a tensor of " + std::to_string(held) + " bytes");
  result->data = *span ? *data + offset : *data;
  Storage storage = plan.tensors[base].storage;
  result->readOnly = storage == Storage::Input ||
                     storage == Storage::Constant || storage == Storage::File;
  return result;
}

void PlanRun::release(const std::vector<TensorId> &dead) {
  for (TensorId id : dead)
    executor.blocks.give(std::move(blocks[id]));
}
