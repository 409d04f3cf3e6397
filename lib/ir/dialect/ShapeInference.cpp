//===- ShapeInference.cpp - Helpers and elementwise rules -----------------===//
#include "ir/dialect/CoreAI.h"
#include "ir/dialect/InferenceHelpers.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

/// Constants above this size are data, never shapes.
static constexpr int64_t largestShapeConstant = 256;

bool coreai::areJoinable(Type a, Type b) {
  auto first = dyn_cast<RankedTensorType>(a);
  auto second = dyn_cast<RankedTensorType>(b);
  if (!first || !second)
    return a == b;
  return first.getElementType() == second.getElementType() &&
         first.getEncoding() == second.getEncoding() &&
         succeeded(joinShapes(first.getShape(), second.getShape(), false));
}

bool coreai::areJoinable(TypeRange inferred, TypeRange written) {
  return llvm::equal(inferred, written,
                     [](Type a, Type b) { return areJoinable(a, b); });
}

std::optional<Shape> coreai::constantIntegers(Value value) {
  // Not m_Constant: the defining op may not be verified yet.
  auto constant = value ? value.getDefiningOp<ConstantOp>() : ConstantOp();
  if (!constant)
    return std::nullopt;
  auto elements =
      dyn_cast_or_null<DenseIntElementsAttr>(constant.getValueAttr());
  if (!elements || elements.getType() != value.getType() ||
      elements.getNumElements() > largestShapeConstant)
    return std::nullopt;
  bool isSigned = !elements.getElementType().isUnsignedInteger() &&
                  !elements.getElementType().isInteger(1);
  Shape integers;
  for (const APInt &element : elements.getValues<APInt>()) {
    if (element.getBitWidth() > 64)
      return std::nullopt;
    integers.push_back(isSigned ? element.getSExtValue()
                                : static_cast<int64_t>(element.getZExtValue()));
  }
  return integers;
}

std::optional<int64_t> coreai::normaliseAxis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return axis < 0 ? axis + rank : axis;
}

FailureOr<SmallVector<RankedTensorType>>
coreai::tensorOperands(const Inference &inference, size_t count) {
  if (inference.operands.size() < count)
    return fail(inference, "needs ", count, " operands, got ",
                inference.operands.size());
  SmallVector<RankedTensorType> types;
  for (Value operand : inference.operands) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      return fail(inference, "operand #", types.size(),
                  " must be a ranked tensor, got ", operand.getType());
    types.push_back(type);
  }
  return types;
}

LogicalResult coreai::succeed(const Inference &inference,
                              ArrayRef<int64_t> shape, Type element) {
  for (int64_t extent : shape)
    if (extent < 0 && extent != dynamic)
      return fail(inference, "would have a negative extent: ", extent);
  inference.results.push_back(RankedTensorType::get(shape, element));
  return success();
}

LogicalResult coreai::checkLength(const Inference &inference, StringRef what,
                                  RankedTensorType vector, int64_t length) {
  if (vector.getRank() == 1 && vector.getDimSize(0) == length)
    return success();
  return fail(inference, what, " must have ", length, " elements, got ",
              vector);
}

FailureOr<std::optional<Shape>> coreai::axesOperand(const Inference &inference,
                                                    Value axes, int64_t rank) {
  std::optional<Shape> values = constantIntegers(axes);
  if (!values)
    return std::optional<Shape>();
  SmallVector<bool> seen(rank);
  for (int64_t &axis : *values) {
    std::optional<int64_t> normal = normaliseAxis(axis, rank);
    if (!normal)
      return fail(inference, "axis ", axis, " is out of range for rank ", rank);
    if (seen[*normal])
      return fail(inference, "axis ", axis, " occurs twice");
    seen[*normal] = true;
    axis = *normal;
  }
  return values;
}

FailureOr<int64_t> coreai::joinExtents(int64_t a, int64_t b, bool broadcast) {
  if (a == b)
    return a;
  if (broadcast && a == 1)
    return b;
  if (broadcast && b == 1)
    return a;
  if (a == dynamic)
    return b;
  if (b == dynamic)
    return a;
  return failure();
}

FailureOr<Shape> coreai::joinShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                                    bool broadcast) {
  if (a.size() < b.size())
    std::swap(a, b);
  size_t lead = a.size() - b.size();
  if (lead && !broadcast)
    return failure();
  Shape joined(a);
  for (size_t i = 0; i < b.size(); ++i) {
    FailureOr<int64_t> extent = joinExtents(a[lead + i], b[i], broadcast);
    if (failed(extent))
      return failure();
    joined[lead + i] = *extent;
  }
  return joined;
}

//===----------------------------------------------------------------------===//
// Elementwise rules
//===----------------------------------------------------------------------===//

LogicalResult coreai::inferSameAsFirst(const Inference &inference) {
  auto types = tensorOperands(inference, 1);
  if (failed(types))
    return failure();
  inference.results.push_back(types->front());
  return success();
}

/// The joint shape of two operands with one element type.
static FailureOr<Shape> joinPair(const Inference &inference,
                                 RankedTensorType lhs, RankedTensorType rhs,
                                 bool broadcast) {
  if (lhs.getElementType() != rhs.getElementType())
    return fail(inference, "operands have different element types: ", lhs,
                " and ", rhs);
  FailureOr<Shape> shape =
      joinShapes(lhs.getShape(), rhs.getShape(), broadcast);
  if (failed(shape))
    return fail(inference,
                broadcast ? "cannot broadcast " : "operands differ in shape: ",
                lhs, broadcast ? " with " : " and ", rhs);
  return shape;
}

static LogicalResult inferPair(const Inference &inference, bool broadcast,
                               bool isComparison) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  auto shape = joinPair(inference, (*types)[0], (*types)[1], broadcast);
  if (failed(shape))
    return failure();
  Type element = (*types)[0].getElementType();
  if (isComparison)
    element = IntegerType::get(inference.context, 1);
  return succeed(inference, *shape, element);
}

LogicalResult coreai::inferBinary(const Inference &inference) {
  return inferPair(inference, /*broadcast=*/false, /*isComparison=*/false);
}
LogicalResult coreai::inferComparison(const Inference &inference) {
  return inferPair(inference, /*broadcast=*/false, /*isComparison=*/true);
}
LogicalResult coreai::inferBroadcastingBinary(const Inference &inference) {
  return inferPair(inference, /*broadcast=*/true, /*isComparison=*/false);
}
LogicalResult coreai::inferBroadcastingComparison(const Inference &inference) {
  return inferPair(inference, /*broadcast=*/true, /*isComparison=*/true);
}

static LogicalResult inferSelect(const Inference &inference, bool broadcast) {
  auto types = tensorOperands(inference, 3);
  if (failed(types))
    return failure();
  RankedTensorType condition = (*types)[0], lhs = (*types)[1];
  auto values = joinPair(inference, lhs, (*types)[2], broadcast);
  if (failed(values))
    return failure();
  auto shape = joinShapes(condition.getShape(), *values, broadcast);
  if (failed(shape))
    return fail(inference, "the condition ", condition,
                " does not fit the values ", lhs, " and ", (*types)[2]);
  return succeed(inference, *shape, lhs.getElementType());
}

LogicalResult coreai::inferWhere(const Inference &inference) {
  return inferSelect(inference, /*broadcast=*/false);
}
LogicalResult coreai::inferBroadcastingWhere(const Inference &inference) {
  return inferSelect(inference, /*broadcast=*/true);
}

LogicalResult coreai::inferCreateComplex(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  auto shape = joinPair(inference, (*types)[0], (*types)[1], false);
  if (failed(shape))
    return failure();
  Type part = (*types)[0].getElementType();
  if (!isa<FloatType>(part))
    return fail(inference, "needs floating-point parts, got ", (*types)[0]);
  return succeed(inference, *shape, ComplexType::get(part));
}

LogicalResult coreai::inferComplexPart(const Inference &inference) {
  auto types = tensorOperands(inference, 1);
  if (failed(types))
    return failure();
  auto complex = dyn_cast<ComplexType>(types->front().getElementType());
  if (!complex)
    return fail(inference, "needs a complex tensor, got ", types->front());
  return succeed(inference, types->front().getShape(),
                 complex.getElementType());
}
