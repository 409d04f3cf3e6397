//===- Reduction.cpp - Reductions, softmax, scans in a plan ---------------===//
//
// All work on [outer, extent, inner], where the middle axis is reduced. Axes
// that are not neighbours are brought together by a copy first.
//
//===----------------------------------------------------------------------===//
#include "convert/plan/Pointwise.h"
#include "convert/plan/Rows.h"
#include "convert/plan/Steps.h"
#include "ops/Sources.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

/// Rows at least this long get a simdgroup each.
static constexpr int64_t simdgroupRow = 32;
static constexpr int64_t simdgroupSize = 32;

Rows bessemer::rowsOf(PlanContext &context, Operation *op,
                      std::vector<int64_t> axes) {
  Registers &regs = context.regs;
  TensorId tensor = context.tensorOf(op->getOperand(0));
  RegList shape = context.info(tensor).shape;
  llvm::sort(axes);
  bool areNeighbours = axes.empty() || axes.back() - axes.front() + 1 ==
                                           static_cast<int64_t>(axes.size());
  if (!areNeighbours) {
    RegList strides = context.stridesOf(tensor), order, extents;
    auto move = [&](size_t i) {
      extents.push_back(shape[i]);
      order.push_back(strides[i]);
    };
    for (size_t i = 0; i < shape.size(); ++i)
      if (!llvm::is_contained(axes, static_cast<int64_t>(i)))
        move(i);
    size_t kept = extents.size();
    for (int64_t axis : axes)
      move(axis);
    tensor = context.alias(tensor, extents, order, regs.constant(0));
    shape = extents;
    for (size_t i = 0; i < axes.size(); ++i)
      axes[i] = static_cast<int64_t>(kept + i);
  }
  size_t first = axes.empty() ? shape.size() : axes.front();
  size_t last = axes.empty() ? shape.size() : axes.back() + 1;
  auto product = [&](size_t from, size_t to) {
    return regs.product(RegList(shape.begin() + from, shape.begin() + to));
  };
  return {context.dense(tensor), product(0, first), product(first, last),
          product(last, shape.size())};
}

/// Lanes cannot exchange booleans.
static std::string accumulator(DType dtype) {
  return dtype == DType::Bool ? "uchar" : computeType(dtype);
}

/// Runs `kernel`_rows or `kernel`_columns of reduction.metal and its kin.
static void dispatchRows(PlanContext &context, const std::string &file,
                         const std::string &defines, const std::string &kernel,
                         const Rows &rows, TensorId result) {
  Registers &regs = context.regs;
  DType from = context.info(rows.tensor).dtype;
  std::string text = "#define T " + std::string(dtypeMetalName(from)) +
                     "\n#define A " + accumulator(from) + "\n" + defines +
                     (defines.empty() ? "" : ops::source("reducers")) +
                     ops::source(file);
  std::optional<int64_t> extent = regs.known(rows.extent);
  // Lanes exchange at most 32 bits.
  bool isRow = regs.is(rows.inner, 1) && dtypeSize(from) <= 4 &&
               (!extent || *extent >= simdgroupRow);
  std::vector<KernelArg> arguments{BufferArg{rows.tensor}, BufferArg{result},
                                   ScalarArg{{rows.extent, rows.inner}}};
  Reg count = regs.mul(rows.outer, rows.inner);
  if (isRow)
    count = regs.mul(count, regs.constant(simdgroupSize));
  context.dispatchFlat(text, kernel + (isRow ? "_rows" : "_columns"), arguments,
                       count);
}

static std::string reducerOf(StringRef name) {
  return llvm::StringSwitch<std::string>(name)
      .Case("reduce_sum", "Sum")
      .Case("reduce_mean", "Mean")
      .Case("reduce_max", "Max")
      .Case("reduce_min", "Min")
      .Case("reduce_product", "Product")
      .Case("any", "Any")
      .Case("all", "All")
      .Default("");
}

static void emitReduce(PlanContext &context, Operation *op,
                       const std::string &reducer) {
  int64_t rank =
      static_cast<int64_t>(context.shapeOf(op->getOperand(0)).size());
  Rows rows = rowsOf(context, op, context.axesOf(op, op->getOperand(1), rank));
  if (context.hasFailed())
    return;
  TensorId result = context.allocate(op->getResult(0));
  dispatchRows(context, "reduction", "#define REDUCER " + reducer + "\n",
               "reduce", rows, result);
}

/// Softmax, scan, argmax: one axis.
static void emitAlongAxis(PlanContext &context, Operation *op,
                          const std::string &file,
                          const std::string &defines = "") {
  int64_t rank =
      static_cast<int64_t>(context.shapeOf(op->getOperand(0)).size());
  Rows rows = rowsOf(context, op, context.axesOf(op, op->getOperand(1), rank));
  if (context.hasFailed())
    return;
  TensorId result = context.allocate(op->getResult(0));
  dispatchRows(context, file, defines, file, rows, result);
}

static void emitArgmax(PlanContext &context, Operation *op) {
  Registers &regs = context.regs;
  RegList shape = context.shapeOf(op->getOperand(0));
  std::vector<int64_t> axes =
      context.axesOf(op, op->getOperand(1), static_cast<int64_t>(shape.size()));
  if (context.hasFailed())
    return;
  std::string message = "argmax: the axis has {b} elements; it needs one";
  if (!regs.require(RequireStep::Relation::LessEqual, regs.constant(1),
                    shape[axes.front()], message))
    context.fail(op, ErrorKind::InvalidArgument,
                 "the axis has no elements; it needs one");
  else
    emitAlongAxis(context, op, "argmax");
}

static void emitScan(PlanContext &context, ScanOp op) {
  std::optional<RegList> reverse = context.integersOf(op.getReverse());
  std::optional<int64_t> isReverse =
      reverse ? context.regs.known(reverse->front()) : std::nullopt;
  if (!isReverse) {
    context.fail(op, ErrorKind::Unsupported,
                 "needs a direction that is a constant");
    return;
  }
  static constexpr const char *combiners[] = {"Sum", "Product", "Min", "Max"};
  emitAlongAxis(
      context, op, "scan",
      "#define REDUCER " +
          std::string(combiners[static_cast<uint32_t>(op.getCombiner())]) +
          "\n#define REVERSE " + std::to_string(*isReverse) + "\n");
}

bool bessemer::emitReduction(PlanContext &context, Operation *op) {
  std::string reducer = reducerOf(op->getName().stripDialect());
  if (!reducer.empty())
    emitReduce(context, op, reducer);
  else if (isa<SoftmaxOp>(op))
    emitAlongAxis(context, op, "softmax");
  else if (isa<ArgmaxOp>(op))
    emitArgmax(context, op);
  else if (auto scan = dyn_cast<ScanOp>(op))
    emitScan(context, scan);
  else
    return emitSort(context, op);
  return true;
}
