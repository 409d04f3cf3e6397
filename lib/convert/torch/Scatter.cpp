//===- Scatter.cpp - Writing to places given by indices -------------------===//
#include "convert/torch/Composite.h"
#include "convert/torch/Slices.h"

#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;
using coreai::ScatterMode;

static int64_t rankOf(Value value) {
  return value ? tensorType(value).getRank() : 0;
}

static Value scatter(Call &call, Value value, Value indices, Value updates,
                     int64_t axis, ScatterMode mode) {
  if (!value || !indices || !updates)
    return {};
  Builder &builder = call.getBuilder();
  NamedAttribute attribute(
      builder.getStringAttr("scatter_mode"),
      coreai::ScatterModeAttr::get(builder.getContext(), mode));
  return call.op("scatter_along_axis",
                 {value, indices, updates, call.si32(axis)}, attribute);
}

/// The part of the updates that there are indices for.
static Value trimmed(Call &call, Value updates, Value indices) {
  int64_t rank = rankOf(indices);
  if (!updates || rankOf(updates) != rank)
    return call.fail("the indices and what is written must have one rank");
  if (tensorType(updates).getShape() == tensorType(indices).getShape())
    return updates;
  Value end = call.op("get_shape", indices);
  auto type =
      RankedTensorType::get(tensorType(indices).getShape(), elementOf(updates));
  return call.opAs(type, "slice",
                   {updates, call.si32Vector(SmallVector<int64_t>(rank, 0)),
                    end, call.si32Vector(SmallVector<int64_t>(rank, 1))});
}

/// self, dim, index, src: tensors of one rank; a scalar counts as a vector.
static void lowerScatter(Call &call, ScatterMode mode) {
  Value value = call.tensor(0), indices = call.tensor(2);
  if (!value || !indices)
    return;
  bool isScalar = rankOf(value) == 0;
  auto vector = [&](Value scalar) {
    return scalar && rankOf(scalar) == 0 ? call.reshape(scalar, {1}) : scalar;
  };
  int64_t axis = call.axis(1, rankOf(value));
  value = vector(value);
  indices = vector(indices);
  Value updates;
  if (call.isNumber(3))
    updates = call.op("broadcast_to", {call.value(3, elementOf(value)),
                                       call.op("get_shape", indices)});
  else
    updates = trimmed(call, vector(call.tensor(3)), indices);
  Value result = scatter(call, value, indices, updates, axis, mode);
  call.replace(isScalar ? call.reshape(result, {}) : result);
}

/// self, dim, index, src, reduce, include_self
static void lowerScatterReduce(Call &call) {
  StringRef name = call.string(4);
  std::optional<ScatterMode> mode;
  if (name == "sum")
    mode = ScatterMode::Add;
  else if (name == "prod")
    mode = ScatterMode::Mul;
  else if (name == "amax")
    mode = ScatterMode::Max;
  else if (name == "amin")
    mode = ScatterMode::Min;
  if (!mode || !call.boolean(5, true)) {
    call.fail("reduce='" + name + "' with include_self=" +
              (call.boolean(5, true) ? "True" : "False") +
              " is not supported; sum, prod, amax and amin with include_self "
              "are");
    return;
  }
  lowerScatter(call, *mode);
}

/// Bounds of an update of one axis.
static Value updated(Call &call, Value value, Value update, int64_t axis,
                     Value start, Value end, int64_t step) {
  if (!value || !update)
    return {};
  int64_t rank = rankOf(value);
  SmallVector<int64_t> steps(rank, 1);
  if (rank)
    steps[axis] = step;
  return call.op("slice_update",
                 {value, update, boundVector(call, start, axis, rank, 0),
                  boundVector(call, end, axis, rank, wholeExtent),
                  call.si32Vector(steps)});
}

/// self, src, dim, start, end, step
static void lowerSliceScatter(Call &call) {
  Value value = call.tensor(0), update = call.tensor(1);
  if (!value || !update)
    return;
  int64_t axis = call.isNone(2) ? 0 : call.axis(2, rankOf(value));
  Value start = call.isNone(3) ? call.si32(0) : call.extent(3);
  Value end = endBound(call, 4);
  call.replace(updated(call, value, update, axis, start, end,
                       call.integer(5, std::optional<int64_t>(1))));
}

/// self, src, dim, index
static void lowerSelectScatter(Call &call) {
  Value value = call.tensor(0), update = call.tensor(1);
  if (!value || !update)
    return;
  int64_t axis = call.axis(2, rankOf(value));
  Value start = call.extent(3);
  Value end = call.isNumber(3) && call.integer(3) == -1
                  ? call.si32(wholeExtent)
                  : call.broadcasting("add", {start, call.si32(1)});
  update = call.op("expand_dims", {update, call.si32Vector({axis})});
  call.replace(updated(call, value, update, axis, start, end, 1));
}

void bessemer::addScatterLowerings(LoweringTable &table) {
  auto add = [&](StringRef name, ScatterMode mode) {
    table[("aten." + name).str()] = [=](Call &call) {
      lowerScatter(call, mode);
    };
  };
  add("scatter.src", ScatterMode::Update);
  add("scatter.value", ScatterMode::Update);
  add("scatter_add.default", ScatterMode::Add);
  table["aten.scatter_reduce.two"] = lowerScatterReduce;
  table["aten.slice_scatter.default"] = lowerSliceScatter;
  table["aten.select_scatter.default"] = lowerSelectScatter;
}
