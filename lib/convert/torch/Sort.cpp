//===- Sort.cpp - sort, argsort, topk -------------------------------------===//
#include "convert/torch/Composite.h"

using namespace bessemer;
using namespace mlir;

namespace {
struct Sorted {
  Value values, indices;
};
} // namespace

static int64_t rankOf(Value value) {
  return value ? tensorType(value).getRank() : 0;
}

/// Booleans are sorted as bytes; a scalar is sorted already.
static Sorted sorted(Call &call, Value value, int64_t axis, bool isDescending) {
  if (!value)
    return {};
  if (rankOf(value) == 0)
    return {value, call.si32(0)};
  Type element = elementOf(value);
  bool isBool = element.isInteger(1);
  if (isBool)
    value = call.cast(value, IntegerType::get(element.getContext(), 8,
                                              IntegerType::Unsigned));
  Value operands[] = {value, call.si32(axis), call.i1(isDescending),
                      call.i1(true)};
  Value values = call.op("sort", operands);
  return {isBool ? call.cast(values, element) : values,
          call.op("argsort", operands)};
}

/// Arguments from `first`: dim, descending.
static void lowerSort(Call &call, unsigned first) {
  Value value = call.tensor(0);
  int64_t axis =
      call.isNone(first) ? rankOf(value) - 1 : call.axis(first, rankOf(value));
  Sorted result = sorted(call, value, axis, call.boolean(first + 1, false));
  if (call.resultCount() == 1)
    call.replace(call.cast(result.indices, call.resultElement()));
  else
    call.replace(
        {result.values, call.cast(result.indices, call.resultElement(1))});
}

/// self, k, dim, largest, sorted: the first k of all, sorted.
static void lowerTopK(Call &call) {
  Value value = call.tensor(0);
  int64_t rank = rankOf(value), count = call.integer(1);
  int64_t axis = call.isNone(2) ? rank - 1 : call.axis(2, rank);
  Sorted result = sorted(call, value, axis, call.boolean(3, true));
  SmallVector<int64_t> start(rank, 0), end(rank, 2147483647), step(rank, 1);
  if (rank)
    end[axis] = count;
  auto first = [&](Value all) {
    return rank
               ? call.op("slice", {all, call.si32Vector(start),
                                   call.si32Vector(end), call.si32Vector(step)})
               : all;
  };
  call.replace({first(result.values),
                call.cast(first(result.indices), call.resultElement(1))});
}

void bessemer::addSortLowerings(LoweringTable &table) {
  table["aten.sort.default"] = [](Call &call) { lowerSort(call, 1); };
  table["aten.sort.stable"] = [](Call &call) { lowerSort(call, 2); };
  table["aten.argsort.default"] = [](Call &call) { lowerSort(call, 1); };
  table["aten.argsort.stable"] = [](Call &call) { lowerSort(call, 2); };
  table["aten.topk.default"] = lowerTopK;
}
