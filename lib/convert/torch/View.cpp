//===- View.cpp - Reshaping, permuting, broadcasting, joining -------------===//
#include "convert/torch/Lowerings.h"

#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;

static int64_t rankOf(Value value) {
  return value ? tensorType(value).getRank() : 0;
}

/// The extents are known now, except for at most one: -1 stands for it.
static bool isDeducible(RankedTensorType type) {
  return type.getNumDynamicDims() <= 1;
}

static void lowerView(Call &call) {
  Value value = call.tensor(0);
  RankedTensorType type = call.resultType();
  if (isDeducible(type))
    return call.replace(call.reshapeToResult(value));
  SmallVector<Value> extents = call.extents(1);
  Value known = call.si32(1);
  Value unknown;
  for (Value &extent : extents) {
    auto constant = coreai::constantIntegers(extent);
    if (constant && constant->front() == -1)
      unknown = extent = call.si32(1);
    else
      known = call.broadcasting("mul", {known, extent});
  }
  // -1 with several symbolic extents: what the others leave.
  if (unknown) {
    Value total = call.si32(1);
    for (int64_t i = 0; i < rankOf(value); ++i)
      total = call.broadcasting("mul", {total, call.extent(value, i)});
    llvm::replace(extents, unknown,
                  call.broadcasting("floor_divide", {total, known}));
  }
  call.replace(call.opAs(type, "reshape", {value, call.shapeVector(extents)}));
}

static void lowerPermute(Call &call) {
  Value value = call.tensor(0);
  call.replace(call.transpose(value, call.axes(1, rankOf(value))));
}

static void swapAxes(Call &call, int64_t first, int64_t second) {
  Value value = call.tensor(0);
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(rankOf(value)));
  if (order.empty())
    return call.replace(value);
  std::swap(order[first], order[second]);
  call.replace(call.transpose(value, order));
}

static void lowerUnsqueeze(Call &call) {
  Value value = call.tensor(0);
  int64_t axis = call.axis(1, rankOf(value) + 1);
  call.replace(call.op("expand_dims", {value, call.si32Vector({axis})}));
}

/// The declared type tells which axes go: torch keeps those that are not 1.
static void lowerSqueeze(Call &call) {
  Value value = call.tensor(0);
  if (!value)
    return;
  RankedTensorType type = tensorType(value);
  SmallVector<int64_t> candidates =
      llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  if (call.argumentCount() > 1)
    candidates = call.axes(1, type.getRank());
  SmallVector<int64_t> removed;
  for (int64_t axis : candidates)
    if (axis < type.getRank() && type.getDimSize(axis) == 1)
      removed.push_back(axis);
  if (!removed.empty())
    value = call.op("shrink_dims", {value, call.si32Vector(removed)});
  call.replace(value);
}

static void lowerExpand(Call &call) {
  Value value = call.tensor(0);
  if (!value)
    return;
  RankedTensorType type = call.resultType();
  if (tensorType(value) == type && type.hasStaticShape())
    return call.replace(value);
  if (type.hasStaticShape())
    return call.replace(
        call.op("broadcast_to", {value, call.ui32Vector(type.getShape())}));
  SmallVector<Value> extents = call.extents(1);
  int64_t lead = static_cast<int64_t>(extents.size()) - rankOf(value);
  for (auto [i, extent] : llvm::enumerate(extents)) {
    auto constant = coreai::constantIntegers(extent);
    if (constant && constant->front() == -1)
      extent = call.extent(value, static_cast<int64_t>(i) - lead);
  }
  call.replace(
      call.opAs(type, "broadcast_to", {value, call.shapeVector(extents)}));
}

static void lowerConcat(Call &call) {
  SmallVector<Value> parts = call.tensors(0);
  if (call.hasFailed())
    return;
  SmallVector<Value> operands;
  for (Value part : parts)
    // An old rule of torch: empty vectors join anything.
    if (tensorType(part).getShape() != ArrayRef<int64_t>{0} ||
        call.resultType().getRank() == 1)
      operands.push_back(call.cast(part, call.resultElement()));
  int64_t axis = call.isNone(1) ? 0 : call.axis(1, call.resultType().getRank());
  operands.insert(operands.begin(), call.si32(axis));
  call.replace(call.op("concat", operands));
}

static void lowerStack(Call &call) {
  int64_t axis = call.isNone(1) ? 0 : call.axis(1, call.resultType().getRank());
  SmallVector<Value> operands{call.si32(axis)};
  for (Value part : call.tensors(0))
    operands.push_back(call.op("expand_dims", {part, call.si32Vector({axis})}));
  call.replace(call.op("concat", operands));
}

static void lowerRepeat(Call &call) {
  Value value = call.tensor(0);
  SmallVector<int64_t> repeats = call.integers(1);
  int64_t lead = static_cast<int64_t>(repeats.size()) - rankOf(value);
  if (lead > 0)
    value = call.op(
        "expand_dims",
        {value, call.si32Vector(llvm::to_vector(llvm::seq<int64_t>(lead)))});
  call.replace(call.op("tile", {value, call.ui32Vector(repeats)}));
}

static void lowerFlip(Call &call) {
  Value value = call.tensor(0);
  call.replace(call.op("reverse",
                       {value, call.si32Vector(call.axes(1, rankOf(value)))}));
}

void bessemer::addViewLowerings(LoweringTable &table) {
  for (const char *name : {"view", "reshape", "_unsafe_view", "view_copy"})
    table["aten." + std::string(name) + ".default"] = lowerView;
  table["aten.flatten.using_ints"] = table["aten.unflatten.int"] = lowerView;
  table["aten.permute.default"] = lowerPermute;
  table["aten.t.default"] = [](Call &call) {
    swapAxes(call, 0, std::max<int64_t>(call.resultType().getRank() - 1, 0));
  };
  table["aten.transpose.int"] = [](Call &call) {
    int64_t rank = call.resultType().getRank();
    swapAxes(call, call.axis(1, rank), call.axis(2, rank));
  };
  table["aten.unsqueeze.default"] = lowerUnsqueeze;
  for (const char *overload : {"default", "dim", "dims"})
    table["aten.squeeze." + std::string(overload)] = lowerSqueeze;
  table["aten.expand.default"] = lowerExpand;
  table["aten.cat.default"] = lowerConcat;
  table["aten.stack.default"] = lowerStack;
  table["aten.repeat.default"] = lowerRepeat;
  table["aten.flip.default"] = lowerFlip;
}
