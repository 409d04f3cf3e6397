//===- Gather.cpp - Elements picked by indices ----------------------------===//
#include "convert/plan/Indices.h"
#include "convert/plan/Steps.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

/// The result is [index shape..., rest of the input's shape].
static void emitGatherNd(PlanContext &context, GatherNdOp op) {
  Registers &regs = context.regs;
  TensorId indices = context.dense(context.tensorOf(op.getIndices()));
  RegList from = context.shapeOf(op.getInput());
  size_t depth = op.getIndices().getType().getShape().back();
  // Indexed axes and the place in what they pick.
  RegList shape(from.begin(), from.begin() + depth);
  Reg inner = regs.product(RegList(from.begin() + depth, from.end()));
  shape.push_back(inner);
  TensorId input =
      context.denseAlias(context.dense(context.tensorOf(op.getInput())), shape);
  RegList indexShape = context.shapeOf(op.getIndices());
  Reg tuples = regs.product(RegList(indexShape.begin(), indexShape.end() - 1));
  TensorId result = context.allocate(op.getResult());
  ElementKernel kernel(context, {tuples, inner});
  std::string tuple = kernel.index(0), subscripts = kernel.index(1);
  std::string table = kernel.tensor(op, input, /*isWritten=*/false);
  std::string index = kernel.buffer(indices);
  for (size_t i = 0; i < depth; ++i) {
    std::string name = "k" + std::to_string(i);
    declareIndex(kernel, name,
                 index + "[" + tuple + " * " + std::to_string(depth) + "u + " +
                     std::to_string(i) + "u]",
                 kernel.number(from[i]));
  }
  // Innermost first.
  for (size_t i = depth; i-- > 0;)
    subscripts += ", k" + std::to_string(i);
  kernel.store(context.denseAlias(result, {tuples, inner}),
               table + "[" + subscripts + "]");
  kernel.onBadIndex(indexMessage(op, std::nullopt));
  kernel.dispatch("gather_nd");
}

static void emitGatherAlongAxis(PlanContext &context, GatherAlongAxisOp op) {
  TensorId indices = context.tensorOf(op.getIndices());
  RegList from = context.shapeOf(op.getInput());
  std::vector<int64_t> axes =
      context.axesOf(op, op.getAxis(), static_cast<int64_t>(from.size()));
  if (context.hasFailed())
    return;
  int64_t axis = axes.front();
  TensorId input =
      splitAtAxis(context, context.tensorOf(op.getInput()), from, axis);
  TensorId result = context.allocate(op.getResult());
  ElementKernel kernel(context, context.shapeOf(op.getResult()));
  declareIndex(kernel, "k", kernel.load(indices), kernel.number(from[axis]));
  std::string table = kernel.tensor(op, input, /*isWritten=*/false);
  kernel.store(result, table + "[" +
                           indexWithin(kernel, from, axis + 1, from.size()) +
                           ", k, " + indexWithin(kernel, from, 0, axis) + "]");
  kernel.onBadIndex(indexMessage(op, axis));
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
