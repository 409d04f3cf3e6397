//===- Emitter.cpp - Creating coreai ops without crashing -----------------===//
#include "convert/Emitter.h"

#include "ir/DiagnosticCapture.h"
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/APFloat.h"

using namespace bessemer;
using namespace mlir;

RankedTensorType bessemer::tensorType(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

Type bessemer::elementOf(Value value) {
  return tensorType(value).getElementType();
}

Value Emitter::fail(const Twine &text) {
  if (message.empty())
    message = text.str();
  return {};
}

/// The result, or the constant it equals: extents stay known.
Value Emitter::folded(Operation *created) {
  SmallVector<Value> values;
  if (failed(builder.tryFold(created, values)) || values.empty())
    return created->getResult(0);
  created->erase();
  return values.front();
}

Value Emitter::op(StringRef name, ValueRange operands,
                  ArrayRef<NamedAttribute> attributes) {
  return opAs({}, name, operands, attributes);
}

Value Emitter::opAs(RankedTensorType type, StringRef name, ValueRange operands,
                    ArrayRef<NamedAttribute> attributes) {
  if (hasFailed() || llvm::is_contained(operands, Value()))
    return {};
  DiagnosticCapture capture(builder.getContext());
  OperationState state(location, ("coreai." + name).str(), operands, {},
                       attributes);
  SmallVector<Type> types;
  auto inference = state.name.getInterface<InferTypeOpInterface>();
  if (!inference ||
      inference
          ->inferReturnTypes(builder.getContext(), location, operands,
                             builder.getDictionaryAttr(attributes), nullptr, {},
                             types)
          .failed())
    return fail(capture
                    .error(ErrorKind::InvalidArgument,
                           "no result type follows for coreai." + name.str())
                    .message);
  state.addTypes(type ? TypeRange(type) : TypeRange(types));
  Operation *created = builder.create(state);
  if (succeeded(verify(created)))
    return folded(created);
  created->erase();
  return fail(
      capture.error(ErrorKind::InvalidArgument, "not a valid op").message);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value Emitter::constant(ElementsAttr value) {
  return coreai::ConstantOp::create(builder, location, value.getType(), value);
}

static Type integerType(OpBuilder &builder,
                        IntegerType::SignednessSemantics signedness) {
  return IntegerType::get(builder.getContext(), 32, signedness);
}

Value Emitter::si32(int64_t value) {
  return integer(value, integerType(builder, IntegerType::Signed));
}

Value Emitter::i1(bool value) { return integer(value, builder.getI1Type()); }

Value Emitter::vector(ArrayRef<int64_t> values, Type element) {
  SmallVector<Attribute> elements;
  for (int64_t value : values) {
    bool fits = element.isUnsignedInteger() ? llvm::isUInt<32>(value)
                                            : llvm::isInt<32>(value);
    if (!fits)
      return fail(Twine(value) + " does not fit 32 bits");
    elements.push_back(
        IntegerAttr::get(element, APInt(32, static_cast<uint64_t>(value), false,
                                        /*implicitTrunc=*/true)));
  }
  auto type =
      RankedTensorType::get(static_cast<int64_t>(values.size()), element);
  return constant(DenseElementsAttr::get(type, elements));
}

Value Emitter::si32Vector(ArrayRef<int64_t> values) {
  return vector(values, integerType(builder, IntegerType::Signed));
}

Value Emitter::ui32Vector(ArrayRef<int64_t> values) {
  return vector(values, integerType(builder, IntegerType::Unsigned));
}

Value Emitter::number(double value, Type element) {
  auto floating = dyn_cast<FloatType>(element);
  if (!floating)
    return integer(static_cast<int64_t>(value), element);
  APFloat converted(value);
  bool losesInfo;
  converted.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
  Attribute attribute = FloatAttr::get(floating, converted);
  return constant(
      DenseElementsAttr::get(RankedTensorType::get({}, element), attribute));
}

Value Emitter::integer(int64_t value, Type element) {
  if (isa<FloatType>(element))
    return number(static_cast<double>(value), element);
  auto type = dyn_cast<IntegerType>(element);
  if (!type)
    return fail("no number can have this element type");
  unsigned width = type.getWidth();
  if (width == 1)
    value = value != 0;
  bool fits = type.isUnsigned() || width == 1
                  ? llvm::isUIntN(width, static_cast<uint64_t>(value))
                  : llvm::isIntN(width, value);
  if (!fits)
    return fail("the integer " + Twine(value) + " does not fit " +
                Twine(width) + " bits; programs hold 32-bit integers");
  Attribute attribute = IntegerAttr::get(
      element, APInt(width, static_cast<uint64_t>(value), false, true));
  return constant(
      DenseElementsAttr::get(RankedTensorType::get({}, element), attribute));
}

//===----------------------------------------------------------------------===//
// Frequent ops
//===----------------------------------------------------------------------===//

Value Emitter::cast(Value value, Type element) {
  if (!value || elementOf(value) == element)
    return value;
  // A comparison, since any number but 0 is true.
  if (element.isInteger(1))
    return broadcasting("not_equal", {value, integer(0, elementOf(value))});
  auto type = RankedTensorType::get(tensorType(value).getShape(), element);
  return folded(coreai::CastOp::create(builder, location, type, value));
}

Value Emitter::reshape(Value value, ArrayRef<int64_t> shape) {
  return op("reshape", {value, ui32Vector(shape)});
}

Value Emitter::transpose(Value value, ArrayRef<int64_t> order) {
  return op("transpose", {value, ui32Vector(order)});
}

Value Emitter::broadcasting(StringRef name, ValueRange operands) {
  return op(("decomposable.broadcasting_" + name).str(), operands);
}

Value Emitter::extent(Value value, int64_t axis) {
  if (!value)
    return {};
  Type element = integerType(builder, IntegerType::Signed);
  if (!tensorType(value).isDynamicDim(axis))
    return si32(tensorType(value).getDimSize(axis));
  Value shape = cast(op("get_shape", value), element);
  Value one = op("slice", {shape, si32Vector({axis}), si32Vector({axis + 1}),
                           si32Vector({1})});
  return reshape(one, {});
}

Value Emitter::shapeVector(ArrayRef<Value> extents) {
  if (hasFailed() || llvm::is_contained(extents, Value()))
    return {};
  Type element = integerType(builder, IntegerType::Unsigned);
  SmallVector<Value> parts{si32(0)};
  for (Value extent : extents)
    parts.push_back(reshape(cast(extent, element), {1}));
  return extents.empty() ? ui32Vector({}) : op("concat", parts);
}
