//===- Folders.cpp - Evaluation of shape arithmetic -----------------------===//
//
// Folds what shapes are computed with (get_shape, cast, slice, reshape, concat,
// integer arithmetic) on small constants, so that static programs carry static
// grids. Weights are left alone: they are larger, or resources.
//
//===----------------------------------------------------------------------===//
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/Builders.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

static constexpr int64_t largestFoldedConstant = 256;

/// The constant operand, if it is small and inline.
static DenseElementsAttr small(Attribute attribute) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attribute);
  return elements && elements.getNumElements() <= largestFoldedConstant
             ? elements
             : DenseElementsAttr();
}

/// The integers of a constant operand that the folder was given.
static std::optional<Shape> integers(Attribute attribute) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(small(attribute));
  if (!elements || elements.getElementType().getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  bool isSigned = elements.getElementType().isSignedInteger();
  Shape values;
  for (const APInt &element : elements.getValues<APInt>())
    values.push_back(isSigned ? element.getSExtValue()
                              : static_cast<int64_t>(element.getZExtValue()));
  return values;
}

/// Whether the op's one result may be replaced by a small constant.
static bool isFoldable(RankedTensorType type) {
  return type.hasStaticShape() &&
         type.getNumElements() <= largestFoldedConstant;
}

static Attribute integerElement(Type type, int64_t value) {
  unsigned width = type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type, APInt(width, static_cast<uint64_t>(value),
                                      /*isSigned=*/false,
                                      /*implicitTrunc=*/true));
}

OpFoldResult GetShapeOp::fold(FoldAdaptor) {
  RankedTensorType input = getInput().getType();
  if (!input.hasStaticShape() || getType() == input)
    return {};
  SmallVector<Attribute> extents;
  for (int64_t extent : input.getShape())
    extents.push_back(integerElement(getType().getElementType(), extent));
  return DenseElementsAttr::get(getType(), extents);
}

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

/// An integer as an element of `to`; null if it is not exact there.
static Attribute castInteger(int64_t value, bool isSigned, Type to) {
  if (to.isInteger(1))
    return integerElement(to, value != 0);
  if (isa<IntegerType>(to))
    return integerElement(to, value);
  auto floating = dyn_cast<FloatType>(to);
  if (!floating)
    return {};
  APFloat converted(floating.getFloatSemantics());
  converted.convertFromAPInt(APInt(64, static_cast<uint64_t>(value)), isSigned,
                             APFloat::rmNearestTiesToEven);
  return FloatAttr::get(floating, converted);
}

/// Float to float; float to integer saturates at run time and is left to it.
static Attribute castFloat(APFloat value, Type to) {
  auto floating = dyn_cast<FloatType>(to);
  if (!floating)
    return {};
  bool losesInfo;
  value.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return FloatAttr::get(floating, value);
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  DenseElementsAttr input = small(adaptor.getInput());
  if (!input || !isFoldable(getType()))
    return {};
  Type to = getType().getElementType();
  SmallVector<Attribute> elements;
  if (std::optional<Shape> values = integers(input)) {
    bool isSigned = input.getElementType().isSignedInteger();
    for (int64_t value : *values)
      elements.push_back(castInteger(value, isSigned, to));
  } else if (isa<FloatType>(input.getElementType())) {
    for (const APFloat &value : input.getValues<APFloat>())
      elements.push_back(castFloat(value, to));
  } else {
    return {};
  }
  if (llvm::is_contained(elements, Attribute()))
    return {};
  return DenseElementsAttr::get(getType(), elements);
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

/// The same elements with another static shape.
template <typename Op>
static OpFoldResult foldReshape(Op op, Attribute constant) {
  RankedTensorType type = op.getType();
  if (op.getInput().getType() == type && type.hasStaticShape())
    return op.getInput();
  DenseElementsAttr input = small(constant);
  if (!input || !isFoldable(type) ||
      input.getNumElements() != type.getNumElements())
    return {};
  return input.reshape(type);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  return foldReshape(*this, adaptor.getInput());
}
OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return foldReshape(*this, adaptor.getInput());
}
OpFoldResult ShrinkDimsOp::fold(FoldAdaptor adaptor) {
  return foldReshape(*this, adaptor.getInput());
}

/// Applies `visit` to every index of `shape`, in row-major order.
static void forEachIndex(ArrayRef<int64_t> shape,
                         function_ref<void(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(shape, 0))
    return;
  Shape index(shape.size(), 0);
  for (;;) {
    visit(index);
    size_t axis = shape.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1])
      index[--axis] = 0;
    if (axis == 0)
      return;
  }
}

static int64_t flatIndex(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t flat = 0;
  for (auto [extent, i] : llvm::zip_equal(shape, index))
    flat = flat * extent + i;
  return flat;
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  std::optional<Shape> permutation = integers(adaptor.getPermutation());
  if (!permutation)
    return {};
  if (llvm::equal(*permutation, llvm::seq<int64_t>(permutation->size())) &&
      getInput().getType() == getType())
    return getInput();
  DenseElementsAttr input = small(adaptor.getInput());
  if (!input || !isFoldable(getType()))
    return {};
  SmallVector<Attribute> from(input.getValues<Attribute>()), elements;
  ArrayRef<int64_t> shape = input.getType().getShape();
  forEachIndex(getType().getShape(), [&](ArrayRef<int64_t> index) {
    Shape source(shape.size());
    for (auto [i, axis] : llvm::enumerate(*permutation))
      source[*normaliseAxis(axis, shape.size())] = index[i];
    elements.push_back(from[flatIndex(shape, source)]);
  });
  return DenseElementsAttr::get(getType(), elements);
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  std::optional<Shape> start = integers(adaptor.getStart()),
                       end = integers(adaptor.getEnd()),
                       stride = integers(adaptor.getStride());
  RankedTensorType type = getInput().getType();
  if (!start || !end || !stride || !type.hasStaticShape())
    return {};
  SmallVector<SliceRange> ranges;
  bool isWhole = type == getType();
  for (int64_t i = 0; i < type.getRank(); ++i) {
    ranges.push_back(
        sliceRange((*start)[i], (*end)[i], (*stride)[i], type.getDimSize(i)));
    isWhole &= ranges[i].start == 0 && ranges[i].stride == 1;
  }
  if (isWhole)
    return getInput();
  DenseElementsAttr input = small(adaptor.getInput());
  if (!input || !isFoldable(getType()))
    return {};
  SmallVector<Attribute> from(input.getValues<Attribute>()), elements;
  forEachIndex(getType().getShape(), [&](ArrayRef<int64_t> index) {
    Shape source(index);
    for (auto [i, range] : llvm::enumerate(ranges))
      source[i] = range.start + index[i] * range.stride;
    elements.push_back(from[flatIndex(type.getShape(), source)]);
  });
  return DenseElementsAttr::get(getType(), elements);
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1 && getInputs().front().getType() == getType())
    return getInputs().front();
  std::optional<Shape> axes = integers(adaptor.getAxis());
  if (!axes || !isFoldable(getType()))
    return {};
  int64_t axis = *normaliseAxis(axes->front(), getType().getRank());
  SmallVector<Attribute> elements(getType().getNumElements());
  int64_t offset = 0;
  for (Attribute operand : adaptor.getInputs()) {
    DenseElementsAttr input = small(operand);
    if (!input)
      return {};
    auto next = input.value_begin<Attribute>();
    forEachIndex(input.getType().getShape(), [&](ArrayRef<int64_t> index) {
      Shape target(index);
      target[axis] += offset;
      elements[flatIndex(getType().getShape(), target)] = *next++;
    });
    offset += input.getType().getDimSize(axis);
  }
  return DenseElementsAttr::get(getType(), elements);
}

//===----------------------------------------------------------------------===//
// Integer arithmetic
//===----------------------------------------------------------------------===//

/// Evaluates a broadcasting operation on small integer constants. `evaluate`
/// gets sign- or zero-extended elements; none means "leave it to run time".
template <typename Op>
static OpFoldResult
foldIntegers(Op op, typename Op::FoldAdaptor adaptor,
             function_ref<std::optional<int64_t>(int64_t, int64_t)> evaluate) {
  std::optional<Shape> lhs = integers(adaptor.getLhs()),
                       rhs = integers(adaptor.getRhs());
  RankedTensorType type = op.getType();
  Type element = type.getElementType();
  // i1 arithmetic is not what shapes are made of; ui64 does not fit int64.
  if (!lhs || !rhs || !isFoldable(type) ||
      element.getIntOrFloatBitWidth() > 32 || element.isInteger(1))
    return {};
  auto pick = [&](const Shape &values, Value operand, ArrayRef<int64_t> index) {
    auto shape = cast<RankedTensorType>(operand.getType()).getShape();
    Shape own(index.take_back(shape.size()));
    for (auto [i, extent] : llvm::zip_equal(own, shape))
      i = extent == 1 ? 0 : i;
    return values[flatIndex(shape, own)];
  };
  SmallVector<Attribute> elements;
  forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
    if (std::optional<int64_t> value = evaluate(pick(*lhs, op.getLhs(), index),
                                                pick(*rhs, op.getRhs(), index)))
      elements.push_back(integerElement(element, *value));
  });
  if (static_cast<int64_t>(elements.size()) != type.getNumElements())
    return {};
  return DenseElementsAttr::get(type, elements);
}

using Evaluated = std::optional<int64_t>;

OpFoldResult BroadcastingAddOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(*this, adaptor,
                      [](int64_t a, int64_t b) -> Evaluated { return a + b; });
}
OpFoldResult BroadcastingSubOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(*this, adaptor,
                      [](int64_t a, int64_t b) -> Evaluated { return a - b; });
}
OpFoldResult BroadcastingMulOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(*this, adaptor, [](int64_t a, int64_t b) -> Evaluated {
    // Up to 32 bits each: only the low half is kept, so wrapping is exact.
    return static_cast<int64_t>(static_cast<uint64_t>(a) *
                                static_cast<uint64_t>(b));
  });
}
OpFoldResult BroadcastingMaximumOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(*this, adaptor, [](int64_t a, int64_t b) -> Evaluated {
    return std::max(a, b);
  });
}
OpFoldResult BroadcastingMinimumOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(*this, adaptor, [](int64_t a, int64_t b) -> Evaluated {
    return std::min(a, b);
  });
}

/// Division where all roundings agree: extents are not negative.
static Evaluated divideExtents(int64_t a, int64_t b) {
  return a >= 0 && b > 0 ? Evaluated(a / b) : std::nullopt;
}

OpFoldResult BroadcastingDivideOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(*this, adaptor, divideExtents);
}
OpFoldResult BroadcastingFloorDivideOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(*this, adaptor, divideExtents);
}
OpFoldResult BroadcastingModuloOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(*this, adaptor, [](int64_t a, int64_t b) -> Evaluated {
    return a >= 0 && b > 0 ? Evaluated(a % b) : std::nullopt;
  });
}
