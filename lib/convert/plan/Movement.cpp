//===- Movement.cpp - Ops that copy elements to other places --------------===//
#include "convert/plan/ElementKernel.h"
#include "convert/plan/Pointwise.h"
#include "convert/plan/Steps.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

/// The box of `tensor` that starts at these elements, steps by these and has
/// this shape.
static TensorId box(PlanContext &context, TensorId tensor, const RegList &start,
                    const RegList &step, const RegList &shape) {
  Registers &regs = context.regs;
  RegList strides = context.stridesOf(tensor);
  Reg offset = regs.constant(0);
  for (size_t i = 0; i < strides.size(); ++i) {
    offset = regs.add(offset, regs.mul(start[i], strides[i]));
    strides[i] = regs.mul(strides[i], step[i]);
  }
  return context.alias(tensor, shape, strides, offset);
}

static void emitConcat(PlanContext &context, ConcatOp op) {
  Registers &regs = context.regs;
  TensorId result = context.allocate(op.getResult());
  size_t rank = context.shapeOf(op.getResult()).size();
  std::vector<int64_t> axes =
      context.axesOf(op, op.getAxis(), static_cast<int64_t>(rank));
  if (context.hasFailed())
    return;
  RegList start(rank, regs.constant(0)), step(rank, regs.constant(1));
  for (Value part : op.getInputs()) {
    const RegList &shape = context.shapeOf(part);
    TensorId place = box(context, result, start, step, shape);
    emitStridedCopy(context, context.tensorOf(part), place);
    start[axes.front()] = regs.add(start[axes.front()], shape[axes.front()]);
  }
}

/// Fills `tensor` with one element.
static void emitFill(PlanContext &context, TensorId tensor, TensorId element) {
  emitStridedCopy(context, element, tensor);
}

static void emitPad(PlanContext &context, PadOp op) {
  Registers &regs = context.regs;
  if (op.getMode() != PadMode::Constant) {
    context.fail(op, ErrorKind::Unsupported, "pads with constants only");
    return;
  }
  RegList padding = *context.integersOf(op.getPadding());
  RegList shape = context.shapeOf(op.getInput()), start;
  for (size_t i = 0; i < shape.size(); ++i)
    start.push_back(padding[2 * i]);
  for (Reg amount : padding)
    if (!regs.known(amount) || *regs.known(amount) < 0) {
      context.fail(op, ErrorKind::Unsupported,
                   "pads by amounts that are constants, 0 or more");
      return;
    }
  TensorId result = context.allocate(op.getResult());
  emitFill(context, result, context.tensorOf(op.getValue()));
  TensorId inner = box(context, result, start,
                       RegList(shape.size(), regs.constant(1)), shape);
  emitStridedCopy(context, context.tensorOf(op.getInput()), inner);
}

/// [e0, e1] tiled by [r0, r1] is [1, e0, 1, e1] broadcast to [r0, e0, r1, e1].
static void emitTile(PlanContext &context, TileOp op) {
  Registers &regs = context.regs;
  RegList repeats = *context.integersOf(op.getRepeats());
  TensorId from = context.tensorOf(op.getInput());
  RegList extents = context.info(from).shape, own = context.stridesOf(from);
  RegList shape, strides;
  for (size_t i = 0; i < extents.size(); ++i) {
    shape.push_back(repeats[i]);
    strides.push_back(regs.constant(0));
    shape.push_back(extents[i]);
    strides.push_back(own[i]);
  }
  TensorId repeated = context.alias(from, shape, strides, regs.constant(0));
  TensorId result = context.allocate(op.getResult());
  emitStridedCopy(context, repeated, context.denseAlias(result, shape));
}

static void emitSliceUpdate(PlanContext &context, SliceUpdateOp op) {
  Registers &regs = context.regs;
  std::optional<RegList> start = context.integersOf(op.getStart()),
                         step = context.integersOf(op.getStride());
  if (!start || !step) {
    context.fail(op, ErrorKind::Unsupported,
                 "a slice whose bounds depend on the values of a tensor");
    return;
  }
  TensorId result = context.allocate(op.getResult());
  emitStridedCopy(context, context.tensorOf(op.getInput()), result);
  RegList extents = context.shapeOf(op.getResult());
  for (size_t i = 0; i < start->size(); ++i)
    (*start)[i] = regs.sliceBound((*start)[i], extents[i]);
  TensorId place =
      box(context, result, *start, *step, context.shapeOf(op.getUpdate()));
  emitStridedCopy(context, context.tensorOf(op.getUpdate()), place);
}

/// start + i * step; in float for floats.
static void emitRange(PlanContext &context, RangeOp op) {
  DType dtype = context.dtypeOf(op, op.getResult());
  std::string type = computeType(dtype);
  TensorId result = context.allocate(op.getResult());
  ElementKernel kernel(context, context.shapeOf(op.getResult()));
  std::string start = kernel.load(context.tensorOf(op.getStart()));
  std::string step = kernel.load(context.tensorOf(op.getStep()));
  kernel.store(result, std::string(dtypeMetalName(dtype)) + "(" + type + "(" +
                           start + ") + " + type + "(id) * " + type + "(" +
                           step + "))");
  kernel.dispatch("range");
}

/// Each reversed axis is read from its end.
static void emitReverse(PlanContext &context, ReverseOp op) {
  const RegList &shape = context.shapeOf(op.getResult());
  int64_t rank = static_cast<int64_t>(shape.size());
  TensorId from = context.dense(context.tensorOf(op.getInput()));
  std::vector<int64_t> axes = context.axesOf(op, op.getAxes(), rank);
  TensorId result = context.allocate(op.getResult());
  ElementKernel kernel(context, shape);
  std::string source;
  for (int64_t i = 0; i < rank; ++i) {
    std::string at = kernel.index(i), extent = kernel.number(shape[i]);
    if (llvm::is_contained(axes, i))
      at = "(" + extent + " - 1u - " + at + ")";
    source = i == 0 ? at : "(" + source + ") * " + extent + " + " + at;
  }
  std::string buffer = kernel.buffer(from);
  kernel.store(result, buffer + "[" + (rank ? source : "0") + "]");
  kernel.dispatch("reverse");
}

bool bessemer::emitMovement(PlanContext &context, Operation *op) {
  if (auto concat = dyn_cast<ConcatOp>(op))
    emitConcat(context, concat);
  else if (auto pad = dyn_cast<PadOp>(op))
    emitPad(context, pad);
  else if (auto tile = dyn_cast<TileOp>(op))
    emitTile(context, tile);
  else if (auto update = dyn_cast<SliceUpdateOp>(op))
    emitSliceUpdate(context, update);
  else if (auto range = dyn_cast<RangeOp>(op))
    emitRange(context, range);
  else if (auto reverse = dyn_cast<ReverseOp>(op))
    emitReverse(context, reverse);
  else
    return false;
  return true;
}

/// Registers are written by a kernel that gets them as its argument.
void bessemer::emitIntegers(PlanContext &context, Value value) {
  RegList elements = *context.integersOf(value);
  DType dtype = context.dtypeOf(value.getDefiningOp(), value);
  std::string type(dtypeMetalName(dtype));
  TensorId result = context.allocate(value);
  std::string text =
      "#include <metal_stdlib>\nusing namespace metal;\n\n[[kernel]] void "
      "store_" +
      type + "(constant int *values [[buffer(0)]], device " + type +
      " *out [[buffer(1)]], uint id [[thread_position_in_grid]]) {\n  out[id] "
      "= " +
      type + "(values[id]);\n}\n";
  Reg count = context.regs.constant(static_cast<int64_t>(elements.size()));
  context.dispatchFlat(text, "store_" + type,
                       {ScalarArg{elements}, BufferArg{result}}, count);
}
