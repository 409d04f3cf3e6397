//===- Gather.cpp - Elements picked by indices ----------------------------===//
//
// Indices count from the end if negative. One that is out of range reads (or
// writes) nothing: the result has 0 there, never foreign memory.
//
//===----------------------------------------------------------------------===//
#include "convert/plan/ElementKernel.h"
#include "convert/plan/Pointwise.h"
#include "convert/plan/Steps.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

/// Lines that make `name` the place an index expression means in `extent`, and
/// add to `ok` whether it lies inside.
static void normaliseIndex(ElementKernel &kernel, const std::string &name,
                           const std::string &index,
                           const std::string &extent) {
  kernel.line("int " + name + " = int(" + index + ");");
  kernel.line(name + " = " + name + " < 0 ? " + name + " + int(" + extent +
              ") : " + name + ";");
  kernel.line("ok = ok && " + name + " >= 0 && " + name + " < int(" + extent +
              ");");
}

/// The result is [index shape..., rest of the input's shape].
static void emitGatherNd(PlanContext &context, GatherNdOp op) {
  Registers &regs = context.regs;
  TensorId input = context.dense(context.tensorOf(op.getInput()));
  TensorId indices = context.dense(context.tensorOf(op.getIndices()));
  RegList from = context.shapeOf(op.getInput());
  size_t depth = op.getIndices().getType().getShape().back();
  Reg inner = regs.product(RegList(from.begin() + depth, from.end()));
  Reg tuples = regs.product(context.shapeOf(op.getResult()));
  if (!regs.is(inner, 0))
    tuples =
        regs.op(ScalarOp::FloorDiv, tuples, regs.max(inner, regs.constant(1)));
  TensorId result = context.allocate(op.getResult());
  // Two axes: the tuple and the place in what it picks.
  ElementKernel kernel(context, {tuples, inner});
  std::string tuple = kernel.index(0), place = kernel.index(1);
  std::string table = kernel.buffer(input), index = kernel.buffer(indices);
  kernel.line("bool ok = true;");
  std::string at = "0";
  for (size_t i = 0; i < depth; ++i) {
    std::string name = "k" + std::to_string(i), extent = kernel.number(from[i]);
    normaliseIndex(kernel, name,
                   index + "[" + tuple + " * " + std::to_string(depth) +
                       "u + " + std::to_string(i) + "u]",
                   extent);
    at = i == 0 ? "uint(" + name + ")"
                : "(" + at + " * " + extent + " + uint(" + name + "))";
  }
  std::string element =
      table + "[" + at + " * " + kernel.number(inner) + " + " + place + "]";
  std::string type(dtypeMetalName(context.info(input).dtype));
  kernel.store(context.denseAlias(result, {tuples, inner}),
               "ok ? " + element + " : " + type + "(0)");
  kernel.dispatch("gather_nd");
}

/// Row-major index in `shape` with the index of `axis` replaced.
static std::string indexAlong(ElementKernel &kernel, const RegList &shape,
                              int64_t axis, const std::string &replacement) {
  std::string at = "0";
  for (size_t i = 0; i < shape.size(); ++i) {
    std::string own =
        static_cast<int64_t>(i) == axis ? replacement : kernel.index(i);
    at = i == 0 ? own
                : "(" + at + ") * " + kernel.number(shape[i]) + " + " + own;
  }
  return at;
}

static void emitGatherAlongAxis(PlanContext &context, GatherAlongAxisOp op) {
  TensorId input = context.dense(context.tensorOf(op.getInput()));
  TensorId indices = context.tensorOf(op.getIndices());
  RegList from = context.shapeOf(op.getInput());
  std::vector<int64_t> axes =
      context.axesOf(op, op.getAxis(), static_cast<int64_t>(from.size()));
  if (context.hasFailed())
    return;
  TensorId result = context.allocate(op.getResult());
  ElementKernel kernel(context, context.shapeOf(op.getResult()));
  kernel.line("bool ok = true;");
  normaliseIndex(kernel, "k", kernel.load(indices),
                 kernel.number(from[axes.front()]));
  std::string at = indexAlong(kernel, from, axes.front(), "uint(k)");
  std::string element = kernel.buffer(input) + "[" + at + "]";
  std::string type(dtypeMetalName(context.info(input).dtype));
  kernel.store(result, "ok ? " + element + " : " + type + "(0)");
  kernel.dispatch("gather_along_axis");
}

bool bessemer::emitGather(PlanContext &context, Operation *op) {
  if (auto gather = dyn_cast<GatherNdOp>(op))
    emitGatherNd(context, gather);
  else if (auto gather = dyn_cast<GatherAlongAxisOp>(op))
    emitGatherAlongAxis(context, gather);
  else
    return false;
  return true;
}
