//===- Sort.cpp - Sorting in a plan ---------------------------------------===//
//
// The order comes first, as places; the elements or the places are then picked
// by it. Merges come in pairs, there and back, so that the order ends in one
// buffer whatever the extent is; those that are not needed run no threads.
//
//===----------------------------------------------------------------------===//
#include "convert/plan/Rows.h"
#include "convert/plan/Steps.h"
#include "ops/Sources.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

/// Elements that are sorted by comparing each with each.
static constexpr int64_t blockSize = 32;

static std::string metalName(PlanContext &context, TensorId id) {
  return std::string(dtypeMetalName(context.info(id).dtype));
}

static std::string sourceFor(PlanContext &context, const Rows &rows,
                             bool isDescending, const std::string &result,
                             bool isIndices) {
  return "#define T " + metalName(context, rows.tensor) +
         "\n#define DESCENDING " + std::to_string(isDescending) +
         "\n#define BLOCK " + std::to_string(blockSize) + "\n#define R " +
         result + "\n#define INDICES " + std::to_string(isIndices) + "\n" +
         ops::source("sort");
}

/// The places of each row's elements, sorted; computed once for a tensor.
static TensorId sortedOrder(PlanContext &context, const Rows &rows,
                            bool isDescending) {
  auto [known, isNew] = context.sortedOrders.try_emplace(
      {rows.tensor, rows.outer, rows.extent, isDescending}, 0);
  if (!isNew)
    return known->second;
  Registers &regs = context.regs;
  Reg count = regs.product({rows.outer, rows.extent, rows.inner});
  RegList shape{regs.mul(rows.outer, rows.inner), rows.extent};
  TensorId order = context.temporary(DType::U32, shape);
  TensorId other = context.temporary(DType::U32, shape);
  std::string text = sourceFor(context, rows, isDescending, "uint", true);
  context.dispatchFlat(text, "sort_blocks",
                       {BufferArg{rows.tensor}, BufferArg{order},
                        ScalarArg{{rows.extent, rows.inner}}},
                       count);
  int64_t largest = regs.known(rows.extent).value_or(INT32_MAX);
  Reg one = regs.constant(1), zero = regs.constant(0);
  for (int64_t run = blockSize; run < largest; run *= 4) {
    // 1 if a row is longer than a run, else 0.
    Reg longer = regs.sub(rows.extent, regs.constant(run));
    Reg isNeeded = regs.min(regs.max(longer, zero), one);
    auto merge = [&](TensorId from, TensorId to, int64_t length) {
      context.dispatchFlat(
          text, "sort_merge",
          {BufferArg{rows.tensor}, BufferArg{from}, BufferArg{to},
           ScalarArg{{rows.extent, rows.inner, regs.constant(length)}}},
          regs.mul(count, isNeeded));
    };
    merge(order, other, run);
    merge(other, order, std::min<int64_t>(2 * run, INT32_MAX));
  }
  context.sortedOrders[{rows.tensor, rows.outer, rows.extent, isDescending}] =
      order;
  return order;
}

bool bessemer::emitSort(PlanContext &context, Operation *op) {
  bool isIndices = isa<ArgsortOp>(op);
  if (!isIndices && !isa<SortOp>(op))
    return false;
  auto rank = static_cast<int64_t>(context.shapeOf(op->getOperand(0)).size());
  std::vector<int64_t> axes = context.axesOf(op, op->getOperand(1), rank);
  std::vector<int64_t> descending =
      context.knownIntegers(op, op->getOperand(2));
  if (context.hasFailed())
    return true;
  Rows rows = rowsOf(context, op, axes);
  bool isDescending = descending.front() != 0;
  TensorId order = sortedOrder(context, rows, isDescending);
  TensorId result = context.allocate(op->getResult(0));
  context.dispatchFlat(
      sourceFor(context, rows, isDescending, metalName(context, result),
                isIndices),
      "sort_pick",
      {BufferArg{rows.tensor}, BufferArg{order}, BufferArg{result},
       ScalarArg{{rows.extent, rows.inner}}},
      context.regs.product({rows.outer, rows.extent, rows.inner}));
  return true;
}
