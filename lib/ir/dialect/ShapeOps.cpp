//===- ShapeOps.cpp - Shapes, layout, and data movement -------------------===//
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/Builders.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

#define GET_OP_CLASSES
#include "ir/dialect/ShapeOps.cpp.inc"

void CoreAIDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/dialect/ShapeOps.cpp.inc"
      >();
}

LogicalResult CastOp::verify() {
  RankedTensorType from = getInput().getType(), to = getType();
  if (isa<ComplexType>(from.getElementType()) !=
      isa<ComplexType>(to.getElementType()))
    return emitOpError("cannot convert ") << from << " to " << to;
  auto sameElement = from.clone(to.getElementType());
  if (!areJoinable(Type(sameElement), Type(to)))
    return emitOpError("must keep the shape, got ") << from << " and " << to;
  return success();
}

LogicalResult SplitOp::verify() {
  RankedTensorType input = getInput().getType();
  size_t parts = getSizes().getType().getDimSize(0);
  if (parts != getNumResults())
    return emitOpError("has ")
           << parts << " sizes and " << getNumResults() << " results";
  auto axes = constantIntegers(getAxis());
  auto sizes = constantIntegers(getSizes());
  std::optional<int64_t> axis;
  if (axes && !(axis = normaliseAxis(axes->front(), input.getRank())))
    return emitOpError("axis ")
           << axes->front() << " is out of range for " << input;
  int64_t total = 0;
  for (auto [i, result] : llvm::enumerate(getOuts())) {
    Shape shape(input.getRank(), ShapedType::kDynamic);
    if (axis) {
      shape.assign(input.getShape().begin(), input.getShape().end());
      shape[*axis] = sizes ? (*sizes)[i] : ShapedType::kDynamic;
      if (shape[*axis] < 0 && sizes)
        return emitOpError("size ") << shape[*axis] << " is negative";
    }
    auto expected = RankedTensorType::get(shape, input.getElementType(),
                                          input.getEncoding());
    if (!areJoinable(Type(expected), result.getType()))
      return emitOpError("result #")
             << i << " must be " << expected << ", got " << result.getType();
    total += sizes ? (*sizes)[i] : 0;
  }
  if (axis && sizes && !input.isDynamicDim(*axis) &&
      total != input.getDimSize(*axis))
    return emitOpError("the sizes add up to ")
           << total << ", but axis " << *axis << " of " << input << " has "
           << input.getDimSize(*axis);
  return success();
}
