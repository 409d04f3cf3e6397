//===- Scatter.cpp - Elements written to places given by indices ----------===//
//
// A copy of the input is updated in place. One thread makes all updates that
// can meet in one element, in order: the last one wins, sums are always the
// same.
//
//===----------------------------------------------------------------------===//
#include "convert/plan/Indices.h"
#include "convert/plan/Pointwise.h"
#include "convert/plan/Steps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

/// The element after the update, as stored.
static std::string combined(ScatterMode mode, DType dtype,
                            const std::string &old, const std::string &update) {
  std::string type = computeType(dtype);
  std::string a = type + "(" + old + ")", b = type + "(" + update + ")", value;
  switch (mode) {
  case ScatterMode::Update:
    return update;
  case ScatterMode::Add:
    value = a + " + " + b;
    break;
  case ScatterMode::Mul:
    value = a + " * " + b;
    break;
  case ScatterMode::Min: // NaN stays, as in reductions.
    value = b + " < " + a + " || " + b + " != " + b + " ? " + b + " : " + a;
    break;
  case ScatterMode::Max:
    value = b + " > " + a + " || " + b + " != " + b + " ? " + b + " : " + a;
    break;
  }
  return std::string(dtypeMetalName(dtype)) + "(" + value + ")";
}

/// The result, holding the input's elements.
static TensorId copyOfInput(PlanContext &context, Operation *op) {
  TensorId result = context.allocate(op->getResult(0));
  context.addStep(CopyStep{context.tensorOf(op->getOperand(0)), result});
  return result;
}

/// A thread for each line along the axis.
static void emitScatterAlongAxis(PlanContext &context, ScatterAlongAxisOp op) {
  RegList shape = context.shapeOf(op.getInput()),
          lines = context.shapeOf(op.getIndices());
  std::vector<int64_t> axes =
      context.axesOf(op, op.getAxis(), static_cast<int64_t>(shape.size()));
  if (context.hasFailed())
    return;
  int64_t axis = axes.front();
  RegList from = lines;
  lines[axis] = context.regs.constant(1);
  TensorId indices = context.dense(context.tensorOf(op.getIndices()));
  TensorId updates = context.dense(context.tensorOf(op.getUpdates()));
  TensorId result = copyOfInput(context, op);
  ElementKernel kernel(context, lines);
  std::string out = kernel.tensor(op, splitAtAxis(context, result, shape, axis),
                                  /*isWritten=*/true);
  std::string index = kernel.buffer(indices), update = kernel.buffer(updates);
  kernel.line("for (uint j = 0; j < " + kernel.number(from[axis]) + "; ++j) {");
  std::string before = indexWithin(kernel, from, 0, axis),
              behind = indexWithin(kernel, from, axis + 1, from.size());
  Reg inner =
      context.regs.product(RegList(from.begin() + axis + 1, from.end()));
  kernel.line("uint at = ((" + before + ") * " + kernel.number(from[axis]) +
              " + j) * " + kernel.number(inner) + " + " + behind + ";");
  declareIndex(kernel, "k", index + "[at]", kernel.number(shape[axis]));
  DType dtype = context.info(result).dtype;
  std::string target = out + "[" +
                       indexWithin(kernel, shape, axis + 1, shape.size()) +
                       ", k, " + indexWithin(kernel, shape, 0, axis) + "]";
  kernel.line(target + " = " +
              combined(op.getScatterMode(), dtype, target, update + "[at]") +
              ";");
  kernel.line("}");
  kernel.onBadIndex(indexMessage(op, axis));
  kernel.dispatch("scatter_along_axis");
}

/// What the region does with the old element and the update.
static std::optional<ScatterMode> combinerOf(ScatterNdOp op) {
  Block &block = op.getCombiner().front();
  Value old = block.getArgument(0), update = block.getArgument(1);
  Value result = block.getTerminator()->getOperand(0);
  if (result == update)
    return ScatterMode::Update;
  Operation *combiner = result.getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 ||
      !llvm::is_contained(combiner->getOperands(), old) ||
      !llvm::is_contained(combiner->getOperands(), update))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<ScatterMode>>(combiner)
      .Case<AddOp, BroadcastingAddOp>([](auto) { return ScatterMode::Add; })
      .Case<MulOp, BroadcastingMulOp>([](auto) { return ScatterMode::Mul; })
      .Case<MinimumOp, BroadcastingMinimumOp>(
          [](auto) { return ScatterMode::Min; })
      .Case<MaximumOp, BroadcastingMaximumOp>(
          [](auto) { return ScatterMode::Max; })
      .Default([](Operation *) { return std::nullopt; });
}

/// A thread for each place in the slices that the tuples name.
static void emitScatterNd(PlanContext &context, ScatterNdOp op) {
  std::optional<ScatterMode> mode = combinerOf(op);
  if (!mode) {
    context.fail(op, ErrorKind::Unsupported,
                 "combines elements in another way than update, add, mul, "
                 "minimum or maximum");
    return;
  }
  Registers &regs = context.regs;
  RegList shape = context.shapeOf(op.getInput()),
          tuples = context.shapeOf(op.getIndices());
  size_t depth = op.getIndices().getType().getShape().back();
  tuples.pop_back();
  RegList indexed(shape.begin(), shape.begin() + depth);
  Reg inner = regs.product(RegList(shape.begin() + depth, shape.end()));
  indexed.push_back(inner);
  TensorId indices = context.dense(context.tensorOf(op.getIndices()));
  TensorId updates = context.dense(context.tensorOf(op.getUpdates()));
  TensorId result = copyOfInput(context, op);
  ElementKernel kernel(context, {inner});
  std::string out = kernel.tensor(op, context.denseAlias(result, indexed),
                                  /*isWritten=*/true);
  std::string index = kernel.buffer(indices), update = kernel.buffer(updates);
  kernel.line("for (uint j = 0; j < " + kernel.number(regs.product(tuples)) +
              "; ++j) {");
  std::string subscripts = kernel.index(0);
  for (size_t i = 0; i < depth; ++i)
    declareIndex(kernel, "k" + std::to_string(i),
                 index + "[j * " + std::to_string(depth) + "u + " +
                     std::to_string(i) + "u]",
                 kernel.number(shape[i]));
  for (size_t i = depth; i-- > 0;)
    subscripts += ", k" + std::to_string(i);
  std::string target = out + "[" + subscripts + "]";
  kernel.line(target + " = " +
              combined(*mode, context.info(result).dtype, target,
                       update + "[j * " + kernel.number(inner) + " + " +
                           kernel.index(0) + "]") +
              ";");
  kernel.line("}");
  kernel.onBadIndex(indexMessage(op, std::nullopt));
  kernel.dispatch("scatter_nd");
}

bool bessemer::emitScatter(PlanContext &context, Operation *op) {
  if (auto scatter = dyn_cast<ScatterAlongAxisOp>(op))
    emitScatterAlongAxis(context, scatter);
  else if (auto scatter = dyn_cast<ScatterNdOp>(op))
    emitScatterNd(context, scatter);
  else
    return false;
  return true;
}
