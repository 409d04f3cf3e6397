//===- ShapeValues.cpp - Small integer tensors as registers ---------------===//
#include "convert/plan/Context.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

/// Tensors above this size are data.
static constexpr int64_t largestShapeTensor = 256;

std::optional<RegList> PlanContext::integersOf(Value value) {
  auto found = integers.find(value);
  if (found != integers.end())
    return found->second;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  std::optional<RegList> result;
  if (type && type.hasStaticShape() && type.getRank() <= 1 &&
      type.getNumElements() <= largestShapeTensor &&
      isa<IntegerType>(type.getElementType()))
    result = evaluate(value);
  integers[value] = result;
  return result;
}

static std::optional<ScalarOp> scalarOp(StringRef name) {
  name.consume_front("coreai.");
  name.consume_front("decomposable.broadcasting_");
  return llvm::StringSwitch<std::optional<ScalarOp>>(name)
      .Case("add", ScalarOp::Add)
      .Case("sub", ScalarOp::Sub)
      .Case("mul", ScalarOp::Mul)
      .Cases({"floor_divide", "divide"}, ScalarOp::FloorDiv)
      .Case("modulo", ScalarOp::Mod)
      .Case("maximum", ScalarOp::Max)
      .Case("minimum", ScalarOp::Min)
      .Default(std::nullopt);
}

static std::optional<RegList> evaluateConcat(PlanContext &context,
                                             ConcatOp op) {
  RegList joined;
  for (Value part : op.getInputs()) {
    std::optional<RegList> elements = context.integersOf(part);
    if (!elements)
      return std::nullopt;
    joined.insert(joined.end(), elements->begin(), elements->end());
  }
  return joined;
}

static std::optional<RegList> evaluateSlice(PlanContext &context, SliceOp op) {
  std::optional<RegList> elements = context.integersOf(op.getInput());
  auto start = constantIntegers(op.getStart()),
       end = constantIntegers(op.getEnd()),
       stride = constantIntegers(op.getStride());
  if (!elements || !start || !end || !stride || stride->front() == 0)
    return std::nullopt;
  SliceRange range = sliceRange(start->front(), end->front(), stride->front(),
                                static_cast<int64_t>(elements->size()));
  RegList picked;
  for (int64_t i = 0; i < range.count; ++i)
    picked.push_back((*elements)[range.start + i * range.stride]);
  return picked;
}

static std::optional<RegList> evaluateBinary(PlanContext &context,
                                             Operation *op, ScalarOp scalar) {
  std::optional<RegList> lhs = context.integersOf(op->getOperand(0)),
                         rhs = context.integersOf(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  size_t count = std::max(lhs->size(), rhs->size());
  if ((lhs->size() != count && lhs->size() != 1) ||
      (rhs->size() != count && rhs->size() != 1))
    return std::nullopt;
  RegList result;
  for (size_t i = 0; i < count; ++i)
    result.push_back(context.regs.op(scalar, (*lhs)[lhs->size() == 1 ? 0 : i],
                                     (*rhs)[rhs->size() == 1 ? 0 : i]));
  return result;
}

std::optional<RegList> PlanContext::evaluate(Value value) {
  if (auto known = constantIntegers(value))
    return regs.constants({known->begin(), known->end()});
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto cast = dyn_cast<CastOp>(op)) {
    // Casts between integers keep extents; from bool or float they are data.
    auto from =
        dyn_cast<IntegerType>(cast.getInput().getType().getElementType());
    bool keeps = from && from.getWidth() > 1 &&
                 cast.getType().getElementType().getIntOrFloatBitWidth() >= 32;
    return keeps ? integersOf(cast.getInput()) : std::nullopt;
  }
  if (std::optional<ScalarOp> scalar = scalarOp(op->getName().getStringRef()))
    return evaluateBinary(*this, op, *scalar);
  return llvm::TypeSwitch<Operation *, std::optional<RegList>>(op)
      .Case([&](GetShapeOp shape) { return shapeOf(shape.getInput()); })
      .Case([&](ConcatOp concat) { return evaluateConcat(*this, concat); })
      .Case([&](SliceOp slice) { return evaluateSlice(*this, slice); })
      .Case<ReshapeOp, ExpandDimsOp, ShrinkDimsOp>(
          [&](auto view) { return integersOf(view.getInput()); })
      .Default([](Operation *) { return std::nullopt; });
}

std::vector<int64_t> PlanContext::knownIntegers(Operation *op, Value value) {
  std::vector<int64_t> known;
  std::optional<RegList> elements = integersOf(value);
  for (Reg reg : elements ? *elements : RegList()) {
    std::optional<int64_t> number = regs.known(reg);
    if (!number)
      elements.reset();
    known.push_back(number.value_or(0));
  }
  if (!elements)
    fail(op, ErrorKind::Unsupported,
         "needs axes and sizes that are known before the program runs");
  return known;
}

std::vector<int64_t> PlanContext::axesOf(Operation *op, Value value,
                                         int64_t rank) {
  std::vector<int64_t> axes = knownIntegers(op, value);
  for (int64_t &axis : axes) {
    std::optional<int64_t> normal = normaliseAxis(axis, rank);
    if (!normal)
      fail(op, ErrorKind::InvalidArgument,
           "axis " + Twine(axis) + " is out of range for rank " + Twine(rank));
    axis = normal.value_or(0);
  }
  return axes;
}
