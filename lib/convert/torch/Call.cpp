//===- Call.cpp - One torch.call while it is lowered ----------------------===//
#include "convert/torch/Call.h"

#include "ir/dialect/CoreAI.h"

#include "llvm/Support/raw_ostream.h"

using namespace bessemer;
using namespace mlir;

static std::string text(Type type) {
  std::string result;
  llvm::raw_string_ostream stream(result);
  stream << type;
  return result;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static ArrayAttr argumentsOf(torch::CallOp call) {
  return call->getAttrOfType<ArrayAttr>("arguments");
}

unsigned Call::argumentCount() {
  ArrayAttr all = argumentsOf(call);
  return all ? all.size() : 0;
}

Attribute Call::argument(unsigned index) {
  ArrayAttr all = argumentsOf(call);
  if (!all)
    fail("the call has no 'arguments' attribute");
  return all && index < all.size() ? all[index] : Attribute();
}

void Call::wrongKind(unsigned index, StringRef expected) {
  fail("argument #" + Twine(index) + " must be " + expected);
}

/// "%n" as operand n; null without an error if it is something else.
Value Call::operand(Attribute reference, unsigned index) {
  auto string = dyn_cast_or_null<StringAttr>(reference);
  if (!string || !string.getValue().starts_with("%"))
    return {};
  unsigned number;
  if (string.getValue().drop_front().getAsInteger(10, number) ||
      number >= call.getInputs().size())
    return fail("argument #" + Twine(index) + " names operand '" +
                string.getValue() + "', but there are " +
                Twine(call.getInputs().size()));
  Value value = call.getInputs()[number];
  if (!isa<RankedTensorType>(value.getType()))
    return fail("operand '" + string.getValue() + "' is not a tensor");
  return value;
}

bool Call::isNone(unsigned index) {
  return isa_and_nonnull<UnitAttr>(argument(index)) || !argument(index);
}

bool Call::isNumber(unsigned index) {
  return isa_and_nonnull<IntegerAttr, FloatAttr>(argument(index));
}

bool Call::isFloat(unsigned index) {
  return isa_and_nonnull<FloatAttr>(argument(index));
}

bool Call::isBoolean(unsigned index) {
  auto number = dyn_cast_or_null<IntegerAttr>(argument(index));
  return number && number.getType().isInteger(1);
}

Value Call::tensor(unsigned index) {
  Value value = operand(argument(index), index);
  if (!value)
    wrongKind(index, "a tensor");
  return value;
}

int64_t Call::integer(unsigned index, std::optional<int64_t> otherwise) {
  if (isNone(index) && otherwise)
    return *otherwise;
  if (auto attribute = dyn_cast_or_null<IntegerAttr>(argument(index)))
    return attribute.getType().isInteger(1)
               ? attribute.getValue() != 0
               : attribute.getValue().getSExtValue();
  if (Value value = operand(argument(index), index))
    if (auto known = coreai::constantIntegers(value);
        known && known->size() == 1)
      return known->front();
  wrongKind(index, "an integer that is known when the program is converted");
  return 0;
}

double Call::number(unsigned index, std::optional<double> otherwise) {
  if (auto attribute = dyn_cast_or_null<FloatAttr>(argument(index)))
    return attribute.getValueAsDouble();
  if (isNone(index) && otherwise)
    return *otherwise;
  return static_cast<double>(integer(index));
}

bool Call::boolean(unsigned index, std::optional<bool> otherwise) {
  if (isNone(index) && otherwise)
    return *otherwise;
  return integer(index) != 0;
}

StringRef Call::string(unsigned index, StringRef otherwise) {
  if (isNone(index))
    return otherwise;
  if (auto attribute = dyn_cast_or_null<StringAttr>(argument(index)))
    return attribute.getValue();
  wrongKind(index, "a string");
  return otherwise;
}

SmallVector<int64_t> Call::integers(unsigned index) {
  auto list = dyn_cast_or_null<ArrayAttr>(argument(index));
  if (!list)
    return {integer(index)};
  SmallVector<int64_t> values;
  for (Attribute entry : list) {
    if (auto number = dyn_cast<IntegerAttr>(entry)) {
      values.push_back(number.getValue().getSExtValue());
      continue;
    }
    Value value = operand(entry, index);
    auto known = coreai::constantIntegers(value);
    if (known && known->size() == 1)
      values.push_back(known->front());
    else
      wrongKind(index, "a list of integers that are known when the program is "
                       "converted");
  }
  return values;
}

int64_t Call::normalise(int64_t axis, int64_t rank) {
  // A scalar counts as one axis.
  std::optional<int64_t> normal =
      coreai::normaliseAxis(axis, std::max<int64_t>(rank, 1));
  if (!normal)
    fail("dimension " + Twine(axis) + " is out of range for rank " +
         Twine(rank));
  return normal.value_or(0);
}

SmallVector<int64_t> Call::axes(unsigned index, int64_t rank) {
  SmallVector<int64_t> values = integers(index);
  for (int64_t &value : values)
    value = normalise(value, rank);
  return values;
}

int64_t Call::axis(unsigned index, int64_t rank) {
  return normalise(integer(index), rank);
}

Value Call::extentFrom(Attribute entry, unsigned index) {
  if (auto number = dyn_cast_or_null<IntegerAttr>(entry))
    return si32(number.getValue().getSExtValue());
  Value value = operand(entry, index);
  if (!value)
    wrongKind(index, "integers or symbolic integers");
  else if (tensorType(value).getRank() != 0)
    return fail("argument #" + Twine(index) + " must have rank 0");
  return value;
}

Value Call::extent(unsigned index) {
  return extentFrom(argument(index), index);
}

SmallVector<Value> Call::extents(unsigned index) {
  SmallVector<Value> values;
  if (auto list = dyn_cast_or_null<ArrayAttr>(argument(index)))
    for (Attribute entry : list)
      values.push_back(extentFrom(entry, index));
  else
    values.push_back(extent(index));
  return values;
}

SmallVector<Value> Call::optionalTensors(unsigned index) {
  SmallVector<Value> values;
  auto list = dyn_cast_or_null<ArrayAttr>(argument(index));
  if (!list)
    wrongKind(index, "a list of tensors");
  else
    for (Attribute entry : list)
      values.push_back(isa<UnitAttr>(entry) ? Value() : operand(entry, index));
  return values;
}

SmallVector<Value> Call::tensors(unsigned index) {
  SmallVector<Value> values;
  auto list = dyn_cast_or_null<ArrayAttr>(argument(index));
  if (!list)
    wrongKind(index, "a list of tensors");
  else
    for (Attribute entry : list)
      values.push_back(operand(entry, index));
  if (llvm::is_contained(values, Value()))
    wrongKind(index, "a list of tensors");
  return values;
}

Value Call::value(unsigned index, Type element) {
  Attribute entry = argument(index);
  if (auto number = dyn_cast_or_null<FloatAttr>(entry))
    return Emitter::number(number.getValueAsDouble(), element);
  if (isa_and_nonnull<IntegerAttr>(entry))
    return Emitter::integer(integer(index), element);
  return cast(tensor(index), element);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

RankedTensorType Call::resultType(unsigned index) {
  auto type = index < call.getNumResults()
                  ? dyn_cast<RankedTensorType>(call.getResult(index).getType())
                  : RankedTensorType();
  if (type)
    return type;
  fail("result #" + Twine(index) + " must be declared as a ranked tensor");
  return RankedTensorType::get({}, getBuilder().getF32Type());
}

Type Call::resultElement(unsigned index) {
  return resultType(index).getElementType();
}

Value Call::reshapeToResult(Value value) {
  RankedTensorType type = resultType();
  if (!value || tensorType(value) == type)
    return value;
  if (type.hasStaticShape())
    return reshape(value, type.getShape());
  if (type.getNumDynamicDims() > 1)
    return fail("the result has several dynamic extents that no argument "
                "tells");
  // The one unknown extent is deduced.
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &extent : shape)
    extent = ShapedType::isDynamic(extent) ? -1 : extent;
  return opAs(type, "reshape", {value, si32Vector(shape)});
}

void Call::replace(ValueRange values) {
  if (hasFailed() || llvm::is_contained(values, Value())) {
    fail("the lowering gave no value");
    return;
  }
  if (values.size() != call.getNumResults()) {
    fail("the call must have " + Twine(values.size()) + " results, not " +
         Twine(call.getNumResults()));
    return;
  }
  for (auto [result, value] : llvm::zip_equal(call.getResults(), values)) {
    if (!coreai::areJoinable(result.getType(), value.getType())) {
      fail("the declared result type is " + text(result.getType()) +
           ", but the lowering gives " + text(value.getType()));
      return;
    }
    // The declaration may know more extents than inference does.
    auto declared = cast<RankedTensorType>(result.getType());
    if (tensorType(value).getNumDynamicDims() > declared.getNumDynamicDims() &&
        value.getDefiningOp<InferTypeOpInterface>())
      value.setType(declared);
  }
  call->replaceAllUsesWith(values);
  call->erase();
}
