//===- ComputeOpsInference.cpp - Shape rules of ComputeOps.td -------------===//
#include "ir/dialect/InferenceHelpers.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

static Type integerType(const Inference &inference,
                        IntegerType::SignednessSemantics signedness) {
  return IntegerType::get(inference.context, 32, signedness);
}

/// The input's shape with the axes of operand 1 reduced to extent 1.
static FailureOr<Shape> reducedShape(const Inference &inference,
                                     RankedTensorType input) {
  auto axes = axesOperand(inference, inference.operands[1], input.getRank());
  if (failed(axes))
    return failure();
  if (!*axes)
    return Shape(input.getRank(), dynamic);
  Shape shape(input.getShape());
  for (int64_t axis : **axes)
    shape[axis] = 1;
  return shape;
}

LogicalResult coreai::inferReduction(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  auto shape = reducedShape(inference, types->front());
  if (failed(shape))
    return failure();
  return succeed(inference, *shape, types->front().getElementType());
}

LogicalResult coreai::inferArgmax(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  auto shape = reducedShape(inference, types->front());
  if (failed(shape))
    return failure();
  return succeed(inference, *shape,
                 integerType(inference, IntegerType::Unsigned));
}

LogicalResult coreai::inferArgsort(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  return succeed(inference, types->front().getShape(),
                 integerType(inference, IntegerType::Signed));
}

static LogicalResult inferProduct(const Inference &inference, bool broadcast) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  RankedTensorType lhs = (*types)[0], rhs = (*types)[1];
  if (lhs.getElementType() != rhs.getElementType())
    return fail(inference, "operands have different element types: ", lhs,
                " and ", rhs);
  if (lhs.getRank() < 2 || rhs.getRank() < 2)
    return fail(inference, "needs operands of rank 2 or more, got ", lhs,
                " and ", rhs);
  ArrayRef<int64_t> left = lhs.getShape(), right = rhs.getShape();
  if (failed(joinExtents(left.back(), right[right.size() - 2], false)))
    return fail(inference, "inner extents differ: ", lhs, " and ", rhs);
  auto shape = joinShapes(left.drop_back(2), right.drop_back(2), broadcast);
  if (failed(shape))
    return fail(inference,
                broadcast ? "cannot broadcast the batch axes of "
                          : "batch axes differ: ",
                lhs, " and ", rhs);
  shape->push_back(left[left.size() - 2]);
  shape->push_back(right.back());
  return succeed(inference, *shape, lhs.getElementType());
}

LogicalResult coreai::inferMatmul(const Inference &inference) {
  return inferProduct(inference, /*broadcast=*/false);
}
LogicalResult coreai::inferBroadcastingMatmul(const Inference &inference) {
  return inferProduct(inference, /*broadcast=*/true);
}

LogicalResult coreai::inferGatherNd(const Inference &inference) {
  auto types = tensorOperands(inference, 2);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0], indices = (*types)[1];
  int64_t rank = indices.getRank();
  if (rank == 0 || indices.isDynamicDim(rank - 1) ||
      indices.getDimSize(rank - 1) > input.getRank())
    return fail(inference, "the last axis of the indices ", indices,
                " must have a static extent of at most ", input.getRank(),
                " to index ", input);
  Shape shape(indices.getShape().drop_back());
  llvm::append_range(shape,
                     input.getShape().drop_front(indices.getDimSize(rank - 1)));
  return succeed(inference, shape, input.getElementType());
}

LogicalResult coreai::inferGatherAlongAxis(const Inference &inference) {
  auto types = tensorOperands(inference, 3);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0], indices = (*types)[1];
  if (input.getRank() != indices.getRank())
    return fail(inference, "the indices ", indices,
                " must have the rank of the input ", input);
  if (failed(axesOperand(inference, inference.operands[2], input.getRank())))
    return failure();
  return succeed(inference, indices.getShape(), input.getElementType());
}

LogicalResult coreai::inferScatterAlongAxis(const Inference &inference) {
  auto types = tensorOperands(inference, 4);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0], indices = (*types)[1],
                   updates = (*types)[2];
  if (input.getRank() != indices.getRank() ||
      updates.getElementType() != input.getElementType() ||
      failed(joinShapes(updates.getShape(), indices.getShape(), false)))
    return fail(inference, "the indices ", indices, " and updates ", updates,
                " do not fit the input ", input);
  if (failed(axesOperand(inference, inference.operands[3], input.getRank())))
    return failure();
  return succeed(inference, input.getShape(), input.getElementType());
}

LogicalResult coreai::inferNonZero(const Inference &inference) {
  auto types = tensorOperands(inference, 1);
  if (failed(types))
    return failure();
  return succeed(inference, {dynamic, types->front().getRank()},
                 integerType(inference, IntegerType::Signed));
}

/// The extent of a sliding window's results along one axis. The window covers
/// (kernel - 1) * dilation + 1 elements and may (`roundUp`) overhang the end.
static FailureOr<int64_t> windowCount(const Inference &inference,
                                      int64_t extent, int64_t kernel,
                                      int64_t stride, int64_t dilation,
                                      bool roundUp) {
  if (stride <= 0 || dilation <= 0 || (kernel <= 0 && kernel != dynamic))
    return fail(inference, "kernel extents, strides and dilations must be "
                           "positive");
  if (extent == dynamic || kernel == dynamic)
    return dynamic;
  int64_t span = extent - (kernel - 1) * dilation - 1;
  if (span < 0)
    return fail(inference, "a window of ", extent - span,
                " elements does not fit an extent of ", extent);
  return (span + (roundUp ? stride - 1 : 0)) / stride + 1;
}

/// The spatial extents of a convolution or pooling: axes 2... of the input.
static FailureOr<Shape> windowShape(const Inference &inference,
                                    RankedTensorType input,
                                    ArrayRef<int64_t> kernel, Value strides,
                                    Value dilations, bool roundUp) {
  auto strideValues = constantIntegers(strides);
  auto dilationValues = constantIntegers(dilations);
  Shape shape(kernel.size(), dynamic);
  if (!strideValues || !dilationValues)
    return shape;
  for (size_t i = 0; i < kernel.size(); ++i) {
    auto count = windowCount(inference, input.getDimSize(i + 2), kernel[i],
                             (*strideValues)[i], (*dilationValues)[i], roundUp);
    if (failed(count))
      return failure();
    shape[i] = *count;
  }
  return shape;
}

LogicalResult coreai::inferConvolution(const Inference &inference) {
  auto types = tensorOperands(inference, 5);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0], weight = (*types)[1];
  int64_t spatial = inference.op.ends_with("3d") ? 3 : 2;
  if (input.getRank() != spatial + 2 || weight.getRank() != spatial + 2 ||
      input.getElementType() != weight.getElementType())
    return fail(inference, "needs an input and a weight of rank ", spatial + 2,
                " and one element type, got ", input, " and ", weight);
  if (failed(checkLength(inference, "strides", (*types)[2], spatial)) ||
      failed(checkLength(inference, "dilations", (*types)[3], spatial)))
    return failure();
  int64_t channels = input.getDimSize(1), part = weight.getDimSize(1);
  auto groups = constantIntegers(inference.operands[4]);
  if (groups && channels != dynamic && part != dynamic &&
      channels != part * groups->front())
    return fail(inference, "the weight ", weight, " with ", groups->front(),
                " groups does not fit the channels of ", input);
  auto window =
      windowShape(inference, input, weight.getShape().drop_front(2),
                  inference.operands[2], inference.operands[3], false);
  if (failed(window))
    return failure();
  Shape shape{input.getDimSize(0), weight.getDimSize(0)};
  llvm::append_range(shape, *window);
  return succeed(inference, shape, input.getElementType());
}

static LogicalResult inferPool(const Inference &inference, size_t operands,
                               std::optional<bool> roundUp) {
  auto types = tensorOperands(inference, operands);
  if (failed(types))
    return failure();
  RankedTensorType input = (*types)[0];
  int64_t spatial = inference.op.ends_with("3d") ? 3 : 2;
  if (input.getRank() != spatial + 2)
    return fail(inference, "needs an input of rank ", spatial + 2, ", got ",
                input);
  if (failed(checkLength(inference, "the kernel", (*types)[1], spatial)) ||
      failed(checkLength(inference, "strides", (*types)[2], spatial)) ||
      failed(checkLength(inference, "dilations", (*types)[3], spatial)))
    return failure();
  Shape shape{input.getDimSize(0), input.getDimSize(1)};
  auto kernel = constantIntegers(inference.operands[1]);
  if (!kernel || !roundUp) {
    shape.append(spatial, dynamic);
    return succeed(inference, shape, input.getElementType());
  }
  auto window = windowShape(inference, input, *kernel, inference.operands[2],
                            inference.operands[3], *roundUp);
  if (failed(window))
    return failure();
  llvm::append_range(shape, *window);
  return succeed(inference, shape, input.getElementType());
}

LogicalResult coreai::inferPooling(const Inference &inference) {
  return inferPool(inference, 4, /*roundUp=*/false);
}

LogicalResult coreai::inferMaxPooling(const Inference &inference) {
  if (inference.operands.size() < 5)
    return fail(inference, "needs 5 operands");
  std::optional<bool> roundUp;
  if (auto mode = constantIntegers(inference.operands[4]))
    roundUp = mode->size() == 1 && mode->front() != 0;
  return inferPool(inference, 5, roundUp);
}
