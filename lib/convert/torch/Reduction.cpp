//===- Reduction.cpp - Sums, means, extrema -------------------------------===//
//
// A coreai reduction keeps the reduced axes with extent 1; a reshape removes
// them where torch does.
//
//===----------------------------------------------------------------------===//
#include "convert/torch/Lowerings.h"

#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;

/// The axes in argument `index`; all if there are none.
static SmallVector<int64_t> reducedAxes(Call &call, unsigned index,
                                        int64_t rank) {
  SmallVector<int64_t> axes;
  if (!call.isNone(index))
    axes = call.axes(index, rank);
  if (axes.empty())
    axes.append(llvm::to_vector(llvm::seq<int64_t>(rank)));
  return axes;
}

static Value removeAxes(Call &call, Value value, ArrayRef<int64_t> axes,
                        bool keep) {
  if (keep || !value || axes.empty())
    return value;
  if (!tensorType(value).hasStaticShape())
    return call.op("shrink_dims", {value, call.si32Vector(axes)});
  SmallVector<int64_t> shape;
  for (auto [i, extent] : llvm::enumerate(tensorType(value).getShape()))
    if (!llvm::is_contained(axes, static_cast<int64_t>(i)))
      shape.push_back(extent);
  return call.reshape(value, shape);
}

/// `axesIndex` and `keepIndex`: places of dim and keepdim; -1: not there.
static void lowerReduction(Call &call, StringRef name, int axesIndex,
                           int keepIndex) {
  Value value = call.tensor(0);
  if (!value)
    return;
  // Sums and means compute in the result's type, any and all in bool.
  value = call.cast(value, call.resultElement());
  int64_t rank = tensorType(value).getRank();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(rank));
  if (axesIndex > 0)
    axes = reducedAxes(call, axesIndex, rank);
  bool keep = keepIndex > 0 && call.boolean(keepIndex, false);
  if (rank == 0)
    return call.replace(value);
  Value reduced = call.op(name, {value, call.si32Vector(axes)});
  call.replace(removeAxes(call, reduced, axes, keep));
}

/// Index of the first extremum. There is no argmin: negate.
static Value extremeIndex(Call &call, Value value, int64_t axis, bool isMin) {
  if (!value)
    return {};
  if (isMin)
    value =
        call.broadcasting("mul", {value, call.integer(-1, elementOf(value))});
  return call.op("argmax", {value, call.si32(axis)});
}

static void lowerArgument(Call &call, bool isMin) {
  Value value = call.tensor(0);
  if (!value)
    return;
  int64_t axis = 0;
  if (call.isNone(1)) {
    if (!tensorType(value).hasStaticShape()) {
      call.fail("needs a dim when the shape is dynamic");
      return;
    }
    value = call.reshape(value, {tensorType(value).getNumElements()});
  } else {
    axis = call.axis(1, tensorType(value).getRank());
  }
  Value index = extremeIndex(call, value, axis, isMin);
  index = call.cast(removeAxes(call, index, {axis}, call.boolean(2, false)),
                    call.resultElement());
  call.replace(call.reshapeToResult(index));
}

/// max.dim, min.dim: values and indices.
static void lowerExtreme(Call &call, bool isMin) {
  Value value = call.tensor(0);
  if (!value)
    return;
  int64_t axis = call.axis(1, tensorType(value).getRank());
  bool keep = call.boolean(2, false);
  Value best = call.op(isMin ? "reduce_min" : "reduce_max",
                       {value, call.si32Vector({axis})});
  Value index =
      call.cast(extremeIndex(call, value, axis, isMin), call.resultElement(1));
  call.replace({removeAxes(call, best, {axis}, keep),
                removeAxes(call, index, {axis}, keep)});
}

/// Mean of squared distances from the mean, by n - correction.
static void lowerVariance(Call &call) {
  Type element = call.resultElement();
  Value value = call.value(0, element);
  if (!value)
    return;
  int64_t rank = tensorType(value).getRank();
  SmallVector<int64_t> axes = reducedAxes(call, 1, rank);
  double correction = call.number(2, 1);
  Value vector = call.si32Vector(axes);
  Value mean = call.op("reduce_mean", {value, vector});
  Value distance = call.broadcasting("sub", {value, mean});
  Value sum = call.op("reduce_sum",
                      {call.broadcasting("mul", {distance, distance}), vector});
  Value count = call.si32(1);
  for (int64_t axis : axes)
    count = call.broadcasting("mul", {count, call.extent(value, axis)});
  Value divisor = call.broadcasting(
      "sub", {call.cast(count, element), call.number(correction, element)});
  Value variance = call.broadcasting("divide", {sum, divisor});
  call.replace(removeAxes(call, variance, axes, call.boolean(3, false)));
}

static void lowerCumulativeSum(Call &call) {
  Value value = call.value(0, call.resultElement());
  if (!value)
    return;
  int64_t axis = call.axis(1, tensorType(value).getRank());
  Builder &builder = call.getBuilder();
  NamedAttribute combiner(
      builder.getStringAttr("combiner"),
      coreai::CombinerAttr::get(builder.getContext(), coreai::Combiner::Sum));
  call.replace(
      call.op("scan", {value, call.si32(axis), call.i1(false)}, combiner));
}

namespace {
struct Reduction {
  const char *torch, *coreai;
  int axes, keep;
};
} // namespace

static constexpr Reduction reductions[] = {
    {"sum.default", "reduce_sum", -1, -1},
    {"sum.dim_IntList", "reduce_sum", 1, 2},
    {"mean.default", "reduce_mean", -1, -1},
    {"mean.dim", "reduce_mean", 1, 2},
    {"amax.default", "reduce_max", 1, 2},
    {"amin.default", "reduce_min", 1, 2},
    {"max.default", "reduce_max", -1, -1},
    {"min.default", "reduce_min", -1, -1},
    {"prod.default", "reduce_product", -1, -1},
    {"prod.dim_int", "reduce_product", 1, 2},
    {"any.default", "any", -1, -1},
    {"any.dim", "any", 1, 2},
    {"any.dims", "any", 1, 2},
    {"all.default", "all", -1, -1},
    {"all.dim", "all", 1, 2},
};

void bessemer::addReductionLowerings(LoweringTable &table) {
  for (const Reduction &entry : reductions)
    table["aten." + std::string(entry.torch)] = [&entry](Call &call) {
      lowerReduction(call, entry.coreai, entry.axes, entry.keep);
    };
  table["aten.argmax.default"] = [](Call &call) { lowerArgument(call, false); };
  table["aten.argmin.default"] = [](Call &call) { lowerArgument(call, true); };
  table["aten.max.dim"] = [](Call &call) { lowerExtreme(call, false); };
  table["aten.min.dim"] = [](Call &call) { lowerExtreme(call, true); };
  table["aten.var.correction"] = lowerVariance;
  table["aten.cumsum.default"] = lowerCumulativeSum;
}
