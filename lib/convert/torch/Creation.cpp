//===- Creation.cpp - Tensors made of numbers -----------------------------===//
#include "convert/torch/Lowerings.h"

#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;

/// A number, repeated over the shape in argument `extentsIndex`.
static void fill(Call &call, Value number, int extentsIndex) {
  RankedTensorType type = call.resultType();
  if (!number || type.getRank() == 0)
    return call.replace(number);
  auto constant = number.getDefiningOp<coreai::ConstantOp>();
  if (type.hasStaticShape() && constant)
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
      return call.replace(call.constant(
          DenseElementsAttr::get(type, *dense.getValues<Attribute>().begin())));
  Value shape;
  if (type.hasStaticShape())
    shape = call.ui32Vector(type.getShape());
  else if (extentsIndex >= 0)
    shape = call.shapeVector(call.extents(extentsIndex));
  else
    shape = call.op("get_shape", call.tensor(0)); // full_like and its kin
  call.replace(call.opAs(type, "broadcast_to", {number, shape}));
}

static bool isIntegral(Call &call, unsigned index) {
  if (call.isNone(index) || call.isNumber(index))
    return !call.isFloat(index);
  Value value = call.tensor(index);
  return value && isa<IntegerType>(elementOf(value));
}

/// Between integers, a range of floats counts in integers and is cast: lengths
/// are computed from extents, which are integers.
static void lowerArange(Call &call, bool hasStart, bool hasStep) {
  unsigned count = hasStep ? 3 : hasStart ? 2 : 1;
  bool integral = true;
  for (unsigned i = 0; i < count; ++i)
    integral &= isIntegral(call, i);
  Type result = call.resultElement();
  Type element = integral && isa<FloatType>(result)
                     ? call.getBuilder().getIntegerType(32, /*isSigned=*/true)
                     : result;
  Value start = hasStart ? call.value(0, element) : call.integer(0, element);
  Value end = call.value(hasStart ? 1 : 0, element);
  Value step = hasStep && !call.isNone(2) ? call.value(2, element)
                                          : call.integer(1, element);
  Value range =
      call.opAs(call.resultType().clone(element), "range", {start, end, step});
  call.replace(call.cast(range, result));
}

/// Whether element (row, column) lies below or on diagonal `argument 1`.
static void lowerTriangle(Call &call, bool isLower) {
  Value value = call.tensor(0);
  if (!value || tensorType(value).getRank() < 2) {
    call.fail("needs a tensor of rank 2 or more");
    return;
  }
  int64_t rank = tensorType(value).getRank();
  auto range = [&](int64_t axis) {
    return call.op("range",
                   {call.si32(0), call.extent(value, axis), call.si32(1)});
  };
  Value rows = call.op("expand_dims", {range(rank - 2), call.si32Vector({1})});
  Value limit = call.broadcasting(
      "add", {rows, call.si32(call.integer(1, std::optional<int64_t>(0)))});
  Value columns = range(rank - 1);
  Value keep = isLower ? call.broadcasting("greater_equal", {limit, columns})
                       : call.broadcasting("greater_equal", {columns, limit});
  call.replace(call.broadcasting(
      "where", {keep, value, call.integer(0, elementOf(value))}));
}

static void addFill(LoweringTable &table, StringRef name, int extentsIndex,
                    std::function<Value(Call &)> number) {
  table[("aten." + name).str()] = [=](Call &call) {
    fill(call, number(call), extentsIndex);
  };
}

static Value secondArgument(Call &call) {
  return call.value(1, call.resultElement());
}
static Value zero(Call &call) { return call.integer(0, call.resultElement()); }
static Value one(Call &call) { return call.integer(1, call.resultElement()); }

void bessemer::addCreationLowerings(LoweringTable &table) {
  addFill(table, "full.default", 0, secondArgument);
  addFill(table, "full_like.default", -1, secondArgument);
  addFill(table, "fill.Scalar", -1, secondArgument);
  addFill(table, "fill.Tensor", -1, secondArgument);
  addFill(table, "zeros.default", 0, zero);
  addFill(table, "zeros_like.default", -1, zero);
  addFill(table, "ones.default", 0, one);
  addFill(table, "ones_like.default", -1, one);
  // The contents do not matter, but they are always the same.
  addFill(table, "empty.memory_format", 0, zero);
  addFill(table, "scalar_tensor.default", -1,
          [](Call &call) { return call.value(0, call.resultElement()); });
  table["aten.arange.default"] = [](Call &call) {
    lowerArange(call, false, false);
  };
  table["aten.arange.start"] = [](Call &call) {
    lowerArange(call, true, false);
  };
  table["aten.arange.start_step"] = [](Call &call) {
    lowerArange(call, true, true);
  };
  table["aten.tril.default"] = [](Call &call) { lowerTriangle(call, true); };
  table["aten.triu.default"] = [](Call &call) { lowerTriangle(call, false); };
}
