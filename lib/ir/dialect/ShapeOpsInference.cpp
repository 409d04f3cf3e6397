//===- ShapeOpsInference.cpp - Shape rules of ShapeOps.td -----------------===//
#include "ir/dialect/InferenceHelpers.h"

#include "llvm/Support/MathExtras.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

LogicalResult coreai::inferGetShape(const Inference &inference) {
  auto types = tensorOperands(inference, 1);
  if (failed(types))
    return failure();
  return succeed(
      inference, {types->front().getRank()},
      IntegerType::get(inference.context, 32, IntegerType::Unsigned));
}

/// Product of the extents, or `dynamic` (also when it does not fit).
static int64_t elementCount(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (extent == dynamic || llvm::MulOverflow(count, extent, count))
      return dynamic;
  return count;
}

/// Replaces a -1 by the extent that keeps the number of elements.
static LogicalResult deduceExtent(const Inference &inference, Shape &shape,
                                  RankedTensorType input) {
  auto *unknown = llvm::find(shape, -1);
  if (unknown == shape.end())
    return success();
  *unknown = 1;
  if (llvm::is_contained(shape, -1))
    return fail(inference, "only one extent of the shape may be -1");
  int64_t total = elementCount(input.getShape()), rest = elementCount(shape);
  *unknown = dynamic;
  if (total == dynamic || rest == dynamic)
    return success();
  if (rest == 0 || total % rest)
    return fail(inference, "cannot divide the ", total, " elements of ", input,
                " by ", rest);
  *unknown = total / rest;
  return success();
}

LogicalResult coreai::inferReshape(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0], vector = (*types)[1];
  std::optional<Shape> shape = constantIntegers(inference.operands[1]);
  if (!shape) {
    if (vector.getRank() != 1 || vector.isDynamicDim(0))
      return fail(inference, "needs a shape of known length, got ", vector);
    return succeed(inference, Shape(vector.getDimSize(0), dynamic),
                   input.getElementType());
  }
  if (failed(deduceExtent(inference, *shape, input)))
    return failure();
  int64_t from = elementCount(input.getShape()), to = elementCount(*shape);
  if (from != dynamic && to != dynamic && from != to)
    return fail(inference, "cannot reshape ", input, " (", from,
                " elements) to ", to, " elements");
  return succeed(inference, *shape, input.getElementType());
}

LogicalResult coreai::inferTranspose(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0];
  int64_t rank = input.getRank();
  if (failed(checkLength(inference, "the permutation", (*types)[1], rank)))
    return failure();
  auto permutation = axesOperand(inference, inference.operands[1], rank);
  if (failed(permutation))
    return failure();
  Shape shape(rank, dynamic);
  for (int64_t i = 0; *permutation && i < rank; ++i)
    shape[i] = input.getDimSize((**permutation)[i]);
  return succeed(inference, shape, input.getElementType());
}

SliceRange coreai::sliceRange(int64_t start, int64_t end, int64_t stride,
                              int64_t extent) {
  auto clamp = [&](int64_t bound) {
    if (bound < 0)
      bound += extent;
    int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? extent : extent - 1;
    return std::min(std::max(bound, low), high);
  };
  start = clamp(start);
  end = clamp(end);
  int64_t distance = stride > 0 ? end - start : start - end;
  int64_t step = stride > 0 ? stride : -stride;
  return {start, stride, distance > 0 ? (distance + step - 1) / step : 0};
}

/// The extents of a slice of `input` by the three vector operands at `first`.
static FailureOr<Shape> slicedShape(const Inference &inference,
                                    ArrayRef<RankedTensorType> types,
                                    size_t first) {
  RankedTensorType input = types[0];
  int64_t rank = input.getRank();
  static constexpr StringLiteral names[] = {"start", "end", "stride"};
  std::optional<Shape> bounds[3];
  for (size_t i = 0; i < 3; ++i) {
    if (failed(checkLength(inference, names[i], types[first + i], rank)))
      return failure();
    bounds[i] = constantIntegers(inference.operands[first + i]);
  }
  if (bounds[2] && llvm::is_contained(*bounds[2], 0))
    return fail(inference, "a stride is 0");
  Shape shape(rank, dynamic);
  for (int64_t i = 0; i < rank; ++i)
    if (bounds[0] && bounds[1] && bounds[2] && !input.isDynamicDim(i))
      shape[i] = sliceRange((*bounds[0])[i], (*bounds[1])[i], (*bounds[2])[i],
                            input.getDimSize(i))
                     .count;
  return shape;
}

LogicalResult coreai::inferSlice(const Inference &inference) {
  auto types = tensorOperands(inference, 4);
  if (failed(types))
    return failure();
  auto shape = slicedShape(inference, *types, 1);
  if (failed(shape))
    return failure();
  return succeed(inference, *shape, types->front().getElementType());
}

LogicalResult coreai::inferSliceUpdate(const Inference &inference) {
  auto types = tensorOperands(inference, 5);
  if (failed(types))
    return failure();
  auto shape = slicedShape(inference, *types, 2);
  if (failed(shape))
    return failure();
  RankedTensorType input = (*types)[0], update = (*types)[1];
  auto box = RankedTensorType::get(*shape, input.getElementType());
  if (!areJoinable(Type(box), Type(update)))
    return fail(inference, "the update ", update, " does not fit the slice ",
                box);
  return succeed(inference, input.getShape(), input.getElementType());
}

LogicalResult coreai::inferConcat(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  RankedTensorType first = (*types)[1];
  int64_t rank = first.getRank();
  auto axes = axesOperand(inference, inference.operands[0], rank);
  if (failed(axes))
    return failure();
  std::optional<int64_t> axis;
  if (*axes && (*axes)->size() == 1)
    axis = (*axes)->front();
  Shape shape(first.getShape());
  for (RankedTensorType next : ArrayRef(*types).drop_front(2)) {
    Shape other(next.getShape());
    int64_t total = 0;
    if (axis && next.getRank() == rank) {
      total = shape[*axis] == dynamic || other[*axis] == dynamic
                  ? dynamic
                  : shape[*axis] + other[*axis];
      shape[*axis] = other[*axis] = 1;
    } else if (!axis && next.getRank() == rank) {
      shape.assign(rank, dynamic);
    }
    auto joined = joinShapes(shape, other, false);
    if (failed(joined) || next.getElementType() != first.getElementType())
      return fail(inference, "cannot join ", first, " and ", next);
    shape = *joined;
    if (axis)
      shape[*axis] = total;
  }
  if (!axis && types->size() > 2)
    shape.assign(rank, dynamic);
  return succeed(inference, shape, first.getElementType());
}

/// The vector operand's length; fails if unknown.
static FailureOr<int64_t> vectorLength(const Inference &inference,
                                       RankedTensorType vector) {
  if (vector.getRank() != 1 || vector.isDynamicDim(0))
    return fail(inference, "needs a vector of known length, got ", vector);
  return vector.getDimSize(0);
}

LogicalResult coreai::inferExpandDims(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0];
  auto added = vectorLength(inference, (*types)[1]);
  if (failed(added))
    return failure();
  int64_t rank = input.getRank() + *added;
  auto axes = axesOperand(inference, inference.operands[1], rank);
  if (failed(axes))
    return failure();
  Shape shape(rank, dynamic);
  if (*axes) {
    ArrayRef<int64_t> rest = input.getShape();
    for (int64_t i = 0; i < rank; ++i) {
      bool isNew = llvm::is_contained(**axes, i);
      shape[i] = isNew ? 1 : rest.front();
      rest = isNew ? rest : rest.drop_front();
    }
  }
  return succeed(inference, shape, input.getElementType());
}

LogicalResult coreai::inferShrinkDims(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0];
  auto removed = vectorLength(inference, (*types)[1]);
  if (failed(removed))
    return failure();
  if (*removed > input.getRank())
    return fail(inference, "cannot remove ", *removed, " axes of ", input);
  auto axes = axesOperand(inference, inference.operands[1], input.getRank());
  if (failed(axes))
    return failure();
  if (!*axes)
    return succeed(inference, Shape(input.getRank() - *removed, dynamic),
                   input.getElementType());
  Shape shape;
  for (int64_t i = 0; i < input.getRank(); ++i) {
    bool isRemoved = llvm::is_contained(**axes, i);
    int64_t extent = input.getDimSize(i);
    if (isRemoved && extent != 1 && extent != dynamic)
      return fail(inference, "axis ", i, " of ", input, " has extent ", extent,
                  ", not 1");
    if (!isRemoved)
      shape.push_back(extent);
  }
  return succeed(inference, shape, input.getElementType());
}

LogicalResult coreai::inferBroadcastTo(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0];
  auto rank = vectorLength(inference, (*types)[1]);
  if (failed(rank))
    return failure();
  std::optional<Shape> target = constantIntegers(inference.operands[1]);
  Shape shape = target ? *target : Shape(*rank, dynamic);
  int64_t lead = *rank - input.getRank();
  bool fits = lead >= 0;
  for (int64_t i = 0; fits && i < input.getRank(); ++i) {
    int64_t from = input.getDimSize(i), to = shape[lead + i];
    fits = from == 1 || from == to || from == dynamic || to == dynamic;
  }
  // First the result's own check, then the message may print it as a type.
  if (failed(succeed(inference, shape, input.getElementType())))
    return failure();
  if (!fits)
    return fail(inference, "cannot broadcast ", input, " to ",
                inference.results.back());
  return success();
}

LogicalResult coreai::inferBroadcastInDims(const Inference &inference) {
  auto types = tensorOperands(inference, 3);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0];
  auto count = vectorLength(inference, (*types)[2]);
  if (failed(count) ||
      failed(checkLength(inference, "the extents", (*types)[1], *count)))
    return failure();
  auto axes = axesOperand(inference, inference.operands[2], input.getRank());
  if (failed(axes))
    return failure();
  if (!*axes)
    return succeed(inference, Shape(input.getRank(), dynamic),
                   input.getElementType());
  std::optional<Shape> extents = constantIntegers(inference.operands[1]);
  Shape shape(input.getShape());
  for (auto [i, axis] : llvm::enumerate(**axes)) {
    int64_t from = shape[axis], to = extents ? (*extents)[i] : dynamic;
    if (from != 1 && from != to && from != dynamic && to != dynamic)
      return fail(inference, "cannot broadcast axis ", axis, " of ", input,
                  " to extent ", to);
    shape[axis] = to;
  }
  return succeed(inference, shape, input.getElementType());
}

LogicalResult coreai::inferTile(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0];
  if (failed(
          checkLength(inference, "the repeats", (*types)[1], input.getRank())))
    return failure();
  std::optional<Shape> repeats = constantIntegers(inference.operands[1]);
  Shape shape(input.getRank(), dynamic);
  for (int64_t i = 0; repeats && i < input.getRank(); ++i)
    shape[i] = elementCount({input.getDimSize(i), (*repeats)[i]});
  return succeed(inference, shape, input.getElementType());
}

LogicalResult coreai::inferPad(const Inference &inference) {
  auto types = tensorOperands(inference, 3);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0], value = (*types)[2];
  if (failed(checkLength(inference, "the padding", (*types)[1],
                         2 * input.getRank())))
    return failure();
  if (value.getRank() != 0 || value.getElementType() != input.getElementType())
    return fail(inference, "the padding value ", value, " does not fit ",
                input);
  std::optional<Shape> padding = constantIntegers(inference.operands[1]);
  Shape shape(input.getRank(), dynamic);
  for (int64_t i = 0; padding && i < input.getRank(); ++i)
    if (!input.isDynamicDim(i))
      shape[i] =
          input.getDimSize(i) + (*padding)[2 * i] + (*padding)[2 * i + 1];
  return succeed(inference, shape, input.getElementType());
}

LogicalResult coreai::inferRange(const Inference &inference) {
  auto types = tensorOperands(inference, 3);
  if (failed(types))
    return failure();
  for (RankedTensorType type : *types)
    if (type.getRank() != 0 ||
        type.getElementType() != (*types)[0].getElementType())
      return fail(inference, "needs three scalars of one type, got ",
                  (*types)[0], ", ", (*types)[1], " and ", (*types)[2]);
  std::optional<Shape> bounds[3];
  for (size_t i = 0; i < 3; ++i)
    bounds[i] = constantIntegers(inference.operands[i]);
  int64_t count = dynamic;
  if (bounds[0] && bounds[1] && bounds[2]) {
    int64_t step = bounds[2]->front();
    if (step == 0)
      return fail(inference, "the step is 0");
    int64_t distance;
    if (llvm::SubOverflow(bounds[1]->front(), bounds[0]->front(), distance) ||
        step == INT64_MIN)
      return fail(inference, "the bounds do not fit 64 bits");
    if (distance == 0 || (distance < 0) != (step < 0))
      count = 0;
    else
      count = llvm::divideCeil(uint64_t(std::abs(distance)),
                               uint64_t(std::abs(step)));
  }
  return succeed(inference, {count}, (*types)[0].getElementType());
}
