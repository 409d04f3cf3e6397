//===- View.cpp - Ops that only look at bytes in another way --------------===//
#include "convert/plan/Steps.h"

#include "ir/dialect/CoreAIX.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

/// The inverse of expanding: the strides of the axes that stay.
static TensorId shrunk(PlanContext &context, Operation *op, TensorId from,
                       const std::vector<int64_t> &axes) {
  RegList shape, strides, own = context.stridesOf(from);
  for (size_t i = 0; i < own.size(); ++i) {
    if (llvm::is_contained(axes, static_cast<int64_t>(i)))
      continue;
    shape.push_back(context.info(from).shape[i]);
    strides.push_back(own[i]);
  }
  return context.alias(from, shape, strides, context.regs.constant(0));
}

static TensorId expanded(PlanContext &context, Value result, TensorId from,
                         const std::vector<int64_t> &axes) {
  RegList strides, own = context.stridesOf(from);
  auto next = own.begin();
  const RegList &shape = context.shapeOf(result);
  for (size_t i = 0; i < shape.size(); ++i)
    strides.push_back(llvm::is_contained(axes, static_cast<int64_t>(i)) ||
                              next == own.end()
                          ? context.regs.constant(0)
                          : *next++);
  return context.alias(from, shape, strides, context.regs.constant(0));
}

/// Axes that grow from 1 get stride 0; others keep theirs.
static TensorId broadcast(PlanContext &context, Value result, TensorId from) {
  Registers &regs = context.regs;
  RegList shape = context.shapeOf(result), own = context.stridesOf(from);
  RegList extents = context.info(from).shape;
  size_t lead = shape.size() - own.size();
  RegList strides(shape.size(), regs.constant(0));
  for (size_t i = 0; i < own.size(); ++i)
    if (extents[i] == shape[lead + i])
      strides[lead + i] = own[i];
    else // Repeats if the extent is 1 at run time.
      strides[lead + i] =
          regs.mul(own[i], regs.min(regs.sub(extents[i], regs.constant(1)),
                                    regs.constant(1)));
  return context.alias(from, shape, strides, regs.constant(0));
}

static TensorId transposed(PlanContext &context, TransposeOp op,
                           TensorId from) {
  RegList strides, own = context.stridesOf(from);
  for (int64_t axis : context.axesOf(op, op.getPermutation(),
                                     static_cast<int64_t>(own.size())))
    strides.push_back(own[axis]);
  return context.alias(from, context.shapeOf(op.getResult()), strides,
                       context.regs.constant(0));
}

/// Where the box begins, and steps as longer strides.
static TensorId sliced(PlanContext &context, SliceOp op, TensorId from) {
  Registers &regs = context.regs;
  RegList start = *context.integersOf(op.getStart());
  RegList step = *context.integersOf(op.getStride());
  RegList extents = context.info(from).shape, strides,
          own = context.stridesOf(from);
  Reg offset = regs.constant(0);
  for (size_t i = 0; i < own.size(); ++i) {
    Reg first = regs.sliceBound(start[i], extents[i]);
    offset = regs.add(offset, regs.mul(first, own[i]));
    strides.push_back(regs.mul(own[i], step[i]));
  }
  return context.alias(from, context.shapeOf(op.getResult()), strides, offset);
}

bool bessemer::emitView(PlanContext &context, Operation *op) {
  if (!isa<ReshapeOp, TransposeOp, SliceOp, ExpandDimsOp, ShrinkDimsOp,
           BroadcastToOp, BroadcastInDimsOp, coreaix::CopyWithConstraintsOp,
           coreaix::CopyDiscardingConstraintsOp>(op))
    return false;
  Value result = op->getResult(0);
  TensorId from = context.tensorOf(op->getOperand(0));
  if (context.hasFailed())
    return true;
  TensorId view = from;
  int64_t rank = static_cast<int64_t>(context.info(from).shape.size());
  if (isa<ReshapeOp>(op))
    view = context.denseAlias(context.dense(from), context.shapeOf(result));
  else if (auto transpose = dyn_cast<TransposeOp>(op))
    view = transposed(context, transpose, from);
  else if (auto slice = dyn_cast<SliceOp>(op))
    view = sliced(context, slice, from);
  else if (auto expand = dyn_cast<ExpandDimsOp>(op))
    view = expanded(
        context, result, from,
        context.axesOf(op, expand.getAxes(), expand.getType().getRank()));
  else if (auto shrink = dyn_cast<ShrinkDimsOp>(op))
    view =
        shrunk(context, op, from, context.axesOf(op, shrink.getAxes(), rank));
  else if (isa<BroadcastToOp, BroadcastInDimsOp>(op))
    view = broadcast(context, result, from);
  context.setTensor(result, view);
  return true;
}
