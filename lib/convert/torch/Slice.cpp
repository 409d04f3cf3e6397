//===- Slice.cpp - Slices, selections, gathers, padding -------------------===//
#include "convert/torch/Lowerings.h"
#include "convert/torch/Slices.h"

#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;

Value bessemer::boundVector(Call &call, Value bound, int64_t axis, int64_t rank,
                            int64_t otherwise) {
  auto constant = coreai::constantIntegers(bound);
  if (constant && constant->size() == 1) {
    SmallVector<int64_t> values(rank, otherwise);
    values[axis] = constant->front();
    return call.si32Vector(values);
  }
  if (!bound)
    return {};
  SmallVector<Value> parts{call.si32(0)};
  for (int64_t i = 0; i < rank; ++i)
    parts.push_back(i == axis ? call.reshape(bound, {1})
                              : call.si32Vector({otherwise}));
  return call.op("concat", parts);
}

static Value slice(Call &call, Value value, int64_t axis, Value start,
                   Value end, int64_t step, RankedTensorType type = {}) {
  if (!value)
    return {};
  int64_t rank = tensorType(value).getRank();
  SmallVector<int64_t> steps(rank, 1);
  if (rank == 0)
    return call.fail("a scalar cannot be sliced");
  steps[axis] = step;
  return call.opAs(type, "slice",
                   {value, boundVector(call, start, axis, rank, 0),
                    boundVector(call, end, axis, rank, wholeExtent),
                    call.si32Vector(steps)});
}

static Value slice(Call &call, Value value, int64_t axis, int64_t start,
                   int64_t end) {
  return slice(call, value, axis, call.si32(start), call.si32(end), 1);
}

/// torch says "to the end" with a 64-bit number.
Value bessemer::endBound(Call &call, unsigned index) {
  if (call.isNone(index) ||
      (call.isNumber(index) && call.integer(index) > wholeExtent))
    return call.si32(wholeExtent);
  return call.extent(index);
}

static void lowerSlice(Call &call) {
  Value value = call.tensor(0);
  if (!value)
    return;
  int64_t axis = call.isNone(1) ? 0 : call.axis(1, tensorType(value).getRank());
  Value start = call.isNone(2) ? call.si32(0) : call.extent(2);
  call.replace(slice(call, value, axis, start, endBound(call, 3),
                     call.integer(4, 1), call.resultType()));
}

/// Rows of `value` along `axis`, each picked by one of the indices.
static Value picked(Call &call, Value value, int64_t axis, Value indices) {
  if (!value || !indices)
    return {};
  int64_t rank = tensorType(value).getRank();
  int64_t depth = tensorType(indices).getRank();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(rank));
  std::rotate(order.begin(), order.begin() + axis, order.begin() + axis + 1);
  if (axis)
    value = call.transpose(value, order);
  Value tuples = call.op("expand_dims", {indices, call.si32Vector({depth})});
  Value rows = call.op("gather_nd", {value, tuples});
  // The axes of the indices go to where the axis was.
  SmallVector<int64_t> back;
  for (int64_t i = 0; i < axis; ++i)
    back.push_back(depth + i);
  for (int64_t i = 0; i < depth; ++i)
    back.push_back(i);
  for (int64_t i = axis; i + 1 < rank; ++i)
    back.push_back(depth + i);
  return axis && depth ? call.transpose(rows, back) : rows;
}

static void lowerSelect(Call &call) {
  Value value = call.tensor(0);
  if (!value)
    return;
  int64_t axis = call.axis(1, tensorType(value).getRank());
  Value start = call.extent(2);
  // An index that only the run knows is checked by it.
  if (start && !coreai::constantIntegers(start))
    return call.replace(picked(call, value, axis, start));
  Value end = call.isNumber(2) && call.integer(2) == -1
                  ? call.si32(wholeExtent)
                  : call.broadcasting("add", {start, call.si32(1)});
  SmallVector<int64_t> shape(tensorType(value).getShape());
  shape[axis] = 1;
  auto type = RankedTensorType::get(shape, elementOf(value));
  Value part = slice(call, value, axis, start, end, 1, type);
  call.replace(call.op("shrink_dims", {part, call.si32Vector({axis})}));
}

static void lowerSplitWithSizes(Call &call) {
  Value value = call.tensor(0);
  if (!value)
    return;
  int64_t axis = call.isNone(2) ? 0 : call.axis(2, tensorType(value).getRank());
  SmallVector<Value> parts;
  int64_t at = 0;
  for (int64_t size : call.integers(1)) {
    parts.push_back(slice(call, value, axis, at, at + size));
    at += size;
  }
  call.replace(parts);
}

static void lowerUnbind(Call &call) {
  Value value = call.tensor(0);
  if (!value)
    return;
  int64_t axis = call.isNone(1) ? 0 : call.axis(1, tensorType(value).getRank());
  SmallVector<Value> parts;
  for (unsigned i = 0; i < call.resultCount(); ++i)
    parts.push_back(call.op("shrink_dims", {slice(call, value, axis, i, i + 1),
                                            call.si32Vector({axis})}));
  call.replace(parts);
}

/// Rows of a table: every index becomes a tuple of one.
static void lowerEmbedding(Call &call) {
  Value indices = call.tensor(1);
  if (!indices)
    return;
  Value tuples =
      call.op("expand_dims",
              {indices, call.si32Vector({tensorType(indices).getRank()})});
  call.replace(call.op("gather_nd", {call.tensor(0), tuples}));
}

static void lowerIndexSelect(Call &call) {
  Value value = call.tensor(0);
  if (!value)
    return;
  int64_t axis = call.axis(1, tensorType(value).getRank());
  Value indices = call.tensor(2);
  bool isScalar = indices && tensorType(indices).getRank() == 0;
  if (isScalar)
    indices = call.reshape(indices, {1});
  call.replace(picked(call, value, axis, indices));
}

static void lowerGather(Call &call) {
  Value value = call.tensor(0);
  if (!value)
    return;
  int64_t axis = call.axis(1, tensorType(value).getRank());
  call.replace(
      call.op("gather_along_axis", {value, call.tensor(2), call.si32(axis)}));
}

/// torch counts pairs from the last axis.
static void lowerPad(Call &call) {
  Value value = call.tensor(0);
  SmallVector<int64_t> pairs = call.integers(1);
  if (!value || pairs.size() % 2 ||
      static_cast<int64_t>(pairs.size()) > 2 * tensorType(value).getRank()) {
    call.fail("the padding does not fit the tensor's rank");
    return;
  }
  SmallVector<int64_t> padding(2 * tensorType(value).getRank(), 0);
  for (size_t i = 0; i < pairs.size(); i += 2) {
    padding[padding.size() - 2 - i] = pairs[i];
    padding[padding.size() - 1 - i] = pairs[i + 1];
  }
  Builder &builder = call.getBuilder();
  NamedAttribute mode(builder.getStringAttr("mode"),
                      coreai::PadModeAttr::get(builder.getContext(),
                                               coreai::PadMode::Constant));
  Value filler = call.isNone(2) ? call.integer(0, elementOf(value))
                                : call.value(2, elementOf(value));
  call.replace(call.op("pad", {value, call.ui32Vector(padding), filler}, mode));
}

void bessemer::addSliceLowerings(LoweringTable &table) {
  table["aten.slice.Tensor"] = lowerSlice;
  table["aten.select.int"] = lowerSelect;
  table["aten.split_with_sizes.default"] = lowerSplitWithSizes;
  table["aten.unbind.int"] = lowerUnbind;
  table["aten.embedding.default"] = lowerEmbedding;
  table["aten.index_select.default"] = lowerIndexSelect;
  table["aten.gather.default"] = lowerGather;
  table["aten.constant_pad_nd.default"] = lowerPad;
}
