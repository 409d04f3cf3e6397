//===- Shapes.cpp - Extents of every value as registers -------------------===//
#include "convert/plan/Context.h"
#include "convert/plan/Pointwise.h"

#include "ir/dialect/CoreAIX.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

namespace {
/// The shape rules; one instance for one op.
class ShapeRule {
public:
  ShapeRule(PlanContext &context, Operation *op)
      : context(context), regs(context.regs), op(op) {}

  /// The shape of every result; empty after a failure.
  std::vector<RegList> run();

private:
  RegList operandShape(unsigned index) {
    return context.shapeOf(op->getOperand(index));
  }
  RegList vector(Value value);
  RegList broadcast(ValueRange operands, unsigned drop = 0);
  Reg broadcastExtent(Reg a, Reg b, size_t axis);
  std::optional<RegList> layoutRule();
  std::optional<RegList> computeRule();
  RegList reshape(ReshapeOp reshape);
  RegList slice(SliceOp slice);
  RegList concat(ConcatOp concat);
  RegList expandDims(ExpandDimsOp expand);
  RegList range(RangeOp range);
  RegList matmul();
  RegList window(const RegList &kernel, Reg channels, unsigned first,
                 bool roundUp);
  std::optional<RegList> windowRule();
  RegList declared(Type type);
  void require(Reg a, Reg b, const Twine &what);

  PlanContext &context;
  Registers &regs;
  Operation *op;
};
} // namespace

static std::string opName(Operation *op) {
  StringRef name = op->getName().stripDialect();
  name.consume_front("decomposable.");
  return name.str();
}

/// The check's message names the op and both extents.
void ShapeRule::require(Reg a, Reg b, const Twine &what) {
  std::string message = opName(op) + ": " + what.str() + ": {a} and {b} differ";
  if (!regs.requireEqual(a, b, message))
    context.fail(op, ErrorKind::InvalidArgument,
                 what + ": " + Twine(*regs.known(a)) + " and " +
                     Twine(*regs.known(b)) + " differ");
}

RegList ShapeRule::vector(Value value) {
  if (std::optional<RegList> elements = context.integersOf(value))
    return *elements;
  context.fail(op, ErrorKind::Unsupported,
               "a shape that depends on the values of a tensor");
  return {};
}

/// Extents a and b of one axis, where 1 is repeated. Without knowing them:
/// the result r is the other one's if one is 1, and (r-a)(a-1) = 0.
Reg ShapeRule::broadcastExtent(Reg a, Reg b, size_t axis) {
  if (a == b || regs.is(b, 1))
    return a;
  if (regs.is(a, 1))
    return b;
  std::string message = opName(op) +
                        ": the extents of its operands differ on axis " +
                        std::to_string(axis) + " and neither is 1";
  Reg one = regs.constant(1), zero = regs.constant(0);
  Reg result = regs.min(regs.max(a, b), regs.mul(a, b));
  for (Reg extent : {a, b}) {
    Reg isOff = regs.mul(regs.sub(result, extent), regs.sub(extent, one));
    if (!regs.requireEqual(isOff, zero, message))
      context.fail(op, ErrorKind::InvalidArgument, message);
  }
  return result;
}

/// The joint shape of the operands without their `drop` innermost axes.
RegList ShapeRule::broadcast(ValueRange operands, unsigned drop) {
  RegList joint;
  for (Value operand : operands) {
    RegList shape = context.shapeOf(operand);
    shape.resize(shape.size() - std::min<size_t>(drop, shape.size()));
    if (shape.size() > joint.size())
      joint.insert(joint.begin(), shape.size() - joint.size(),
                   regs.constant(1));
    size_t lead = joint.size() - shape.size();
    for (size_t i = 0; i < shape.size(); ++i)
      joint[lead + i] = broadcastExtent(joint[lead + i], shape[i], lead + i);
  }
  return joint;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

RegList ShapeRule::reshape(ReshapeOp reshape) {
  RegList shape = vector(reshape.getShape());
  Reg total = regs.product(operandShape(0));
  auto unknown = llvm::find_if(shape, [&](Reg r) { return regs.is(r, -1); });
  if (unknown != shape.end()) {
    *unknown = regs.constant(1);
    Reg rest = regs.product(shape);
    *unknown = regs.op(ScalarOp::FloorDiv, total, rest);
  }
  require(regs.product(shape), total, "numbers of elements");
  return shape;
}

RegList ShapeRule::slice(SliceOp slice) {
  RegList shape = operandShape(0);
  RegList start = vector(slice.getStart()), end = vector(slice.getEnd()),
          stride = vector(slice.getStride());
  if (context.hasFailed())
    return {};
  for (size_t i = 0; i < shape.size(); ++i) {
    std::optional<int64_t> step = regs.known(stride[i]);
    if (!step || *step <= 0) {
      context.fail(op, ErrorKind::Unsupported,
                   "a slice whose stride is not a positive constant");
      return {};
    }
    Reg first = regs.sliceBound(start[i], shape[i]),
        last = regs.sliceBound(end[i], shape[i]);
    Reg length = regs.max(regs.sub(last, first), regs.constant(0));
    shape[i] = regs.op(ScalarOp::CeilDiv, length, stride[i]);
  }
  return shape;
}

RegList ShapeRule::concat(ConcatOp concat) {
  RegList shape = context.shapeOf(concat.getInputs().front());
  std::vector<int64_t> axes =
      context.axesOf(op, concat.getAxis(), static_cast<int64_t>(shape.size()));
  if (context.hasFailed())
    return {};
  for (Value part : concat.getInputs().drop_front()) {
    const RegList &other = context.shapeOf(part);
    for (size_t i = 0; i < shape.size(); ++i)
      if (static_cast<int64_t>(i) == axes.front())
        shape[i] = regs.add(shape[i], other[i]);
      else
        require(shape[i], other[i], "extents of axis " + Twine(i));
  }
  return shape;
}

RegList ShapeRule::expandDims(ExpandDimsOp expand) {
  RegList rest = operandShape(0);
  int64_t rank = expand.getType().getRank();
  std::vector<int64_t> axes = context.axesOf(op, expand.getAxes(), rank);
  RegList shape;
  auto next = rest.begin();
  for (int64_t i = 0; i < rank; ++i)
    shape.push_back(llvm::is_contained(axes, i) || next == rest.end()
                        ? regs.constant(1)
                        : *next++);
  return shape;
}

RegList ShapeRule::range(RangeOp range) {
  std::optional<RegList> start = context.integersOf(range.getStart()),
                         end = context.integersOf(range.getEnd()),
                         step = context.integersOf(range.getStep());
  std::optional<int64_t> known =
      step ? regs.known(step->front()) : std::nullopt;
  if (!start || !end || !known || *known == 0)
    return declared(range.getType());
  Reg way = *known > 0 ? regs.sub(end->front(), start->front())
                       : regs.sub(start->front(), end->front());
  return {regs.op(ScalarOp::CeilDiv, regs.max(way, regs.constant(0)),
                  regs.constant(std::abs(*known)))};
}

std::optional<RegList> ShapeRule::layoutRule() {
  using Shape = std::optional<RegList>;
  return llvm::TypeSwitch<Operation *, Shape>(op)
      .Case([&](GetShapeOp) -> Shape {
        return RegList{
            regs.constant(static_cast<int64_t>(operandShape(0).size()))};
      })
      .Case([&](ReshapeOp reshape) -> Shape { return this->reshape(reshape); })
      .Case([&](SliceOp slice) -> Shape { return this->slice(slice); })
      .Case([&](ConcatOp concat) -> Shape { return this->concat(concat); })
      .Case([&](RangeOp range) -> Shape { return this->range(range); })
      .Case([&](ExpandDimsOp expand) -> Shape { return expandDims(expand); })
      .Case([&](TransposeOp transpose) -> Shape {
        RegList from = operandShape(0), shape;
        for (int64_t axis : context.axesOf(op, transpose.getPermutation(),
                                           static_cast<int64_t>(from.size())))
          shape.push_back(from[axis]);
        return shape;
      })
      .Case([&](ShrinkDimsOp shrink) -> Shape {
        RegList from = operandShape(0), shape;
        std::vector<int64_t> axes = context.axesOf(
            op, shrink.getAxes(), static_cast<int64_t>(from.size()));
        for (size_t i = 0; i < from.size(); ++i)
          if (llvm::is_contained(axes, static_cast<int64_t>(i)))
            require(from[i], regs.constant(1), "a removed axis must have 1");
          else
            shape.push_back(from[i]);
        return shape;
      })
      .Case([&](BroadcastToOp broadcast) -> Shape {
        RegList shape = vector(broadcast.getShape()), from = operandShape(0);
        size_t lead = shape.size() - std::min(shape.size(), from.size());
        for (size_t i = 0; lead + i < shape.size() && i < from.size(); ++i)
          if (!regs.is(from[i], 1))
            require(from[i], shape[lead + i], "extents of axis " + Twine(i));
        return shape;
      })
      .Case([&](BroadcastInDimsOp broadcast) -> Shape {
        RegList shape = operandShape(0),
                extents = vector(broadcast.getExtents());
        std::vector<int64_t> axes = context.axesOf(
            op, broadcast.getAxes(), static_cast<int64_t>(shape.size()));
        for (size_t i = 0; i < std::min(axes.size(), extents.size()); ++i)
          shape[axes[i]] = extents[i];
        return shape;
      })
      .Case([&](TileOp tile) -> Shape {
        RegList shape = operandShape(0), repeats = vector(tile.getRepeats());
        for (size_t i = 0; i < std::min(shape.size(), repeats.size()); ++i)
          shape[i] = regs.mul(shape[i], repeats[i]);
        return shape;
      })
      .Case([&](PadOp pad) -> Shape {
        RegList shape = operandShape(0), padding = vector(pad.getPadding());
        for (size_t i = 0; 2 * i + 1 < padding.size() && i < shape.size(); ++i)
          shape[i] =
              regs.add(shape[i], regs.add(padding[2 * i], padding[2 * i + 1]));
        return shape;
      })
      .Default([](Operation *) -> Shape { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

RegList ShapeRule::matmul() {
  RegList lhs = operandShape(0), rhs = operandShape(1);
  if (lhs.size() < 2 || rhs.size() < 2)
    return {};
  require(lhs.back(), rhs[rhs.size() - 2], "inner extents of a matrix product");
  RegList shape = broadcast(op->getOperands(), /*drop=*/2);
  shape.push_back(lhs[lhs.size() - 2]);
  shape.push_back(rhs.back());
  return shape;
}

/// Batch, channels, and how many windows of this extent fit each axis; strides
/// and dilations are operands `first` and `first` + 1.
RegList ShapeRule::window(const RegList &kernel, Reg channels, unsigned first,
                          bool roundUp) {
  RegList input = operandShape(0);
  RegList strides = vector(op->getOperand(first)),
          dilations = vector(op->getOperand(first + 1));
  if (context.hasFailed() || input.size() != kernel.size() + 2)
    return {};
  Reg one = regs.constant(1);
  RegList shape{input[0], channels};
  for (size_t i = 0; i < kernel.size(); ++i) {
    Reg span = regs.mul(regs.sub(kernel[i], one), dilations[i]);
    Reg rest = regs.sub(regs.sub(input[i + 2], span), one);
    ScalarOp divide = roundUp ? ScalarOp::CeilDiv : ScalarOp::FloorDiv;
    shape.push_back(regs.add(regs.op(divide, rest, strides[i]), one));
  }
  return shape;
}

std::optional<RegList> ShapeRule::windowRule() {
  if (isa<Conv2dOp, Conv3dOp>(op)) {
    RegList filter = operandShape(1);
    RegList kernel(filter.begin() + 2, filter.end());
    return window(kernel, filter[0], 2, false);
  }
  if (!isa<MaxPool2dOp, MaxPool3dOp, SumPool2dOp, SumPool3dOp>(op))
    return std::nullopt;
  bool roundUp = false;
  if (op->getNumOperands() > 4) {
    RegList mode = vector(op->getOperand(4));
    roundUp = !mode.empty() && !regs.is(mode.front(), 0);
  }
  return window(vector(op->getOperand(1)), operandShape(0)[1], 2, roundUp);
}

std::optional<RegList> ShapeRule::computeRule() {
  if (isPointwise(op))
    return broadcast(op->getOperands());
  StringRef name = op->getName().stripDialect();
  if (name.starts_with("reduce_") || name == "any" || name == "all" ||
      name == "argmax") {
    RegList shape = operandShape(0);
    for (int64_t axis : context.axesOf(op, op->getOperand(1),
                                       static_cast<int64_t>(shape.size())))
      shape[axis] = regs.constant(1);
    return shape;
  }
  if (name.ends_with("batch_matmul"))
    return matmul();
  if (auto gather = dyn_cast<GatherNdOp>(op)) {
    RegList shape = operandShape(1), rest = operandShape(0);
    size_t depth = gather.getIndices().getType().getShape().back();
    shape.pop_back();
    shape.insert(shape.end(), rest.begin() + depth, rest.end());
    return shape;
  }
  if (isa<GatherAlongAxisOp>(op))
    return operandShape(1);
  if (isa<SoftmaxOp, ScanOp, SortOp, ArgsortOp, ReverseOp, SliceUpdateOp,
          ScatterAlongAxisOp, ScatterNdOp, coreaix::CopyWithConstraintsOp,
          coreaix::CopyDiscardingConstraintsOp>(op))
    return operandShape(0);
  return std::nullopt;
}

/// The type's extents; fails if one is dynamic.
RegList ShapeRule::declared(Type type) {
  RegList shape;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape()) {
    context.fail(op, ErrorKind::Unsupported,
                 "a result whose shape only the run would tell");
    return {};
  }
  for (int64_t extent : tensor.getShape())
    shape.push_back(regs.constant(extent));
  return shape;
}

std::vector<RegList> ShapeRule::run() {
  std::vector<RegList> shapes;
  if (auto kernel = dyn_cast<Metal4KernelOp>(op)) {
    for (Value shape : kernel.getResultShapes())
      shapes.push_back(vector(shape));
    return shapes;
  }
  if (std::optional<RegList> shape = layoutRule())
    return {*shape};
  if (context.hasFailed())
    return {};
  if (std::optional<RegList> shape = windowRule())
    return {*shape};
  if (std::optional<RegList> shape = computeRule())
    return {*shape};
  for (Type type : op->getResultTypes())
    shapes.push_back(declared(type));
  return shapes;
}

/// What the type says must hold as well; then it is known.
static void reconcile(PlanContext &context, Operation *op, Value value,
                      RegList &shape) {
  auto type = cast<RankedTensorType>(value.getType());
  auto kernel = dyn_cast<Metal4KernelOp>(op);
  std::string what =
      kernel ? ("kernel " + kernel.getKernelName()).str() : opName(op);
  if (static_cast<int64_t>(shape.size()) != type.getRank()) {
    context.fail(op, ErrorKind::InvalidArgument,
                 what + ": the result shape has " + Twine(shape.size()) +
                     " extents, but the result has rank " +
                     Twine(type.getRank()));
    return;
  }
  for (auto [axis, reg] : llvm::enumerate(shape)) {
    std::optional<int64_t> known = context.regs.known(reg);
    if (type.isDynamicDim(axis)) {
      if (kernel && known)
        context.fail(op, ErrorKind::InvalidArgument,
                     what + ": result_shapes says that axis " + Twine(axis) +
                         " always has extent " + Twine(*known) +
                         ", but it is dynamic; compute it from the inputs' "
                         "shapes");
      continue;
    }
    Reg declared = context.regs.constant(type.getDimSize(axis));
    std::string message = what + ": axis " + std::to_string(axis) +
                          " of the result has extent {a}, declared is {b}";
    if (!context.regs.requireEqual(reg, declared, message))
      context.fail(op, ErrorKind::InvalidArgument,
                   what + ": axis " + Twine(axis) +
                       " of the result has extent " + Twine(*known) +
                       ", but its type says " + Twine(type.getDimSize(axis)));
    reg = declared;
  }
}

static void computeShapes(PlanContext &context, Block &block);

/// Values that flow to others have their shapes.
static void passShapes(PlanContext &context, ValueRange from, ValueRange to) {
  for (auto [given, taken] : llvm::zip_equal(from, to))
    context.setShape(taken, context.shapeOf(given));
}

/// Both sides of a flow have one shape when the program runs.
static void requireShapes(PlanContext &context, Operation *op, ValueRange from,
                          ValueRange to) {
  for (auto [given, taken] : llvm::zip_equal(from, to)) {
    RegList a = context.shapeOf(given), b = context.shapeOf(taken);
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      if (std::string message =
              opName(op) + ": the extents {a} and {b} of axis " +
              std::to_string(i) + " must be the same on both ways";
          !context.regs.requireEqual(a[i], b[i], message))
        context.fail(op, ErrorKind::InvalidArgument,
                     "values of two ways have different shapes");
  }
}

static std::vector<RegList> shapesOf(PlanContext &context, ValueRange values) {
  std::vector<RegList> shapes;
  for (Value value : values)
    shapes.push_back(context.shapeOf(value));
  return shapes;
}

static std::vector<RegList> branchShapes(PlanContext &context, IfOp op) {
  Block &first = op.getThenRegion().front(),
        &second = op.getElseRegion().front();
  computeShapes(context, first);
  if (!context.hasFailed())
    computeShapes(context, second);
  if (context.hasFailed())
    return {};
  requireShapes(context, op, first.getTerminator()->getOperands(),
                second.getTerminator()->getOperands());
  return shapesOf(context, first.getTerminator()->getOperands());
}

static std::vector<RegList> loopShapes(PlanContext &context, WhileOp op) {
  Block &before = op.getBefore().front(), &after = op.getAfter().front();
  passShapes(context, op.getInits(), before.getArguments());
  computeShapes(context, before);
  if (context.hasFailed())
    return {};
  ValueRange passed = cast<ConditionOp>(before.getTerminator()).getValues();
  passShapes(context, passed, after.getArguments());
  computeShapes(context, after);
  if (context.hasFailed())
    return {};
  requireShapes(context, op, after.getTerminator()->getOperands(),
                before.getArguments());
  return shapesOf(context, passed);
}

static std::vector<RegList> resultShapes(PlanContext &context, Operation &op) {
  if (auto branch = dyn_cast<IfOp>(op))
    return branchShapes(context, branch);
  if (auto loop = dyn_cast<WhileOp>(op))
    return loopShapes(context, loop);
  return ShapeRule(context, &op).run();
}

void bessemer::computeShapes(PlanContext &context) {
  ::computeShapes(context, context.graph.getBody().front());
}

static void computeShapes(PlanContext &context, Block &block) {
  for (Operation &op : block) {
    if (auto read = dyn_cast<ReadHandleOp>(op)) {
      auto shape = read.getOutput().getType().getShape().vec();
      context.setShape(read.getOutput(), context.regs.constants(shape));
      continue;
    }
    if (op.getNumResults() == 0 ||
        !llvm::all_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      continue;
    std::vector<RegList> shapes = resultShapes(context, op);
    if (context.hasFailed())
      return;
    for (auto [value, shape] : llvm::zip_equal(op.getResults(), shapes)) {
      reconcile(context, &op, value, shape);
      context.setShape(value, shape);
    }
    if (context.hasFailed())
      return;
  }
}
