//===- Symbolic.cpp - Arithmetic on symbolic numbers ----------------------===//
//
// Sizes are si32 scalars, and what Python makes of them by `/` is an f32
// scalar: exact below 2^24. Rounded quotients of sizes never go that way
// (symbolic.py).
//
//===----------------------------------------------------------------------===//
#include "convert/torch/Lowerings.h"

#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;

namespace {
struct Operator {
  const char *python, *coreai;
};
} // namespace

static constexpr Operator operators[] = {
    {"add", "add"},        {"sub", "sub"},
    {"mul", "mul"},        {"mod", "modulo"},
    {"or_", "bitwise_or"}, {"xor", "bitwise_xor"},
    {"truediv", "divide"}, {"floordiv", "floor_divide"},
};

static void lowerArithmetic(Call &call, StringRef name) {
  Type element = call.resultElement();
  call.replace(call.broadcasting(
      name, {call.value(0, element), call.value(1, element)}));
}

/// Shifts by a count known now, as a product or quotient.
static void lowerShift(Call &call, StringRef name) {
  int64_t count = call.integer(1);
  if (count < 0 || count > 30)
    return void(call.fail("a shift by " + Twine(count)));
  call.replace(call.broadcasting(
      name, {call.extent(0), call.si32(int64_t(1) << count)}));
}

/// Masks that round to a multiple of a power of two, or take the rest.
static void lowerAnd(Call &call) {
  if (!call.isNumber(1))
    return lowerArithmetic(call, "bitwise_and");
  int64_t mask = call.integer(1);
  Value value = call.extent(0);
  if (mask < 0 && llvm::isPowerOf2_64(-mask))
    call.replace(call.broadcasting(
        "mul", {call.broadcasting("floor_divide", {value, call.si32(-mask)}),
                call.si32(-mask)}));
  else if (mask > 0 && llvm::isPowerOf2_64(mask + 1))
    call.replace(call.broadcasting("modulo", {value, call.si32(mask + 1)}));
  else
    lowerArithmetic(call, "bitwise_and");
}

static void lowerPower(Call &call) {
  Type element = call.resultElement();
  if (!call.isNumber(1) || call.isFloat(1) || call.integer(1) < 1 ||
      call.integer(1) > 8)
    return lowerArithmetic(call, "pow");
  Value value = call.value(0, element), power = value;
  for (int64_t i = 1; i < call.integer(1); ++i)
    power = call.broadcasting("mul", {power, value});
  call.replace(power);
}

static Value negative(Call &call, Value value) {
  if (!value)
    return {};
  return call.broadcasting("sub", {call.integer(0, elementOf(value)), value});
}

static void lowerCeilDivide(Call &call) {
  Value quotient = call.broadcasting(
      "floor_divide", {negative(call, call.extent(0)), call.extent(1)});
  call.replace(negative(call, quotient));
}

/// A float scalar rounded down (or up) to an integer one.
static void lowerRounding(Call &call, bool up) {
  Type f32 = call.getBuilder().getF32Type();
  Value value = call.value(0, f32);
  if (up)
    value = negative(call, value);
  Value down = call.broadcasting("floor_divide", {value, call.integer(1, f32)});
  call.replace(
      call.cast(up ? negative(call, down) : down, call.resultElement()));
}

/// `value` as an integer (towards zero) or a float.
static void lowerConversion(Call &call) {
  call.replace(call.value(0, call.resultElement()));
}

static void lowerSize(Call &call) {
  Value value = call.tensor(0);
  if (!value)
    return;
  int64_t axis = call.axis(1, tensorType(value).getRank());
  call.replace(call.extent(value, axis));
}

static void lowerElementCount(Call &call) {
  Value value = call.tensor(0), count = call.si32(1);
  for (int64_t i = 0; value && i < tensorType(value).getRank(); ++i)
    count = call.broadcasting("mul", {count, call.extent(value, i)});
  call.replace(count);
}

void bessemer::addSymbolicLowerings(LoweringTable &table) {
  for (auto [python, coreai] : operators)
    table["_operator." + std::string(python)] =
        [name = StringRef(coreai)](Call &call) { lowerArithmetic(call, name); };
  for (auto [python, coreai] :
       {Operator{"lshift", "mul"}, Operator{"rshift", "floor_divide"}})
    table["_operator." + std::string(python)] =
        [name = StringRef(coreai)](Call &call) { lowerShift(call, name); };
  for (StringRef name : {"torch.sym_float", "torch.sym_int", "math.trunc"})
    table[name] = lowerConversion;
  table["math.floor"] = [](Call &call) { lowerRounding(call, /*up=*/false); };
  table["math.ceil"] = [](Call &call) { lowerRounding(call, /*up=*/true); };
  table["_operator.and_"] = lowerAnd;
  table["_operator.pow"] = lowerPower;
  table["bessemer.ceil_divide"] = lowerCeilDivide;
  table["_operator.neg"] = [](Call &call) {
    call.replace(call.broadcasting("sub", {call.si32(0), call.extent(0)}));
  };
  for (auto [name, coreai] :
       {Operator{"sym_max", "maximum"}, Operator{"sym_min", "minimum"}})
    table["torch." + std::string(name)] = [op = StringRef(coreai)](Call &call) {
      call.replace(call.broadcasting(op, {call.extent(0), call.extent(1)}));
    };
  for (auto [name, coreai] :
       {Operator{"gt", "greater"}, Operator{"ge", "greater_equal"},
        Operator{"eq", "equal"}, Operator{"ne", "not_equal"}})
    table["_operator." + std::string(name)] =
        [op = StringRef(coreai)](Call &call) {
          call.replace(call.broadcasting(op, {call.extent(0), call.extent(1)}));
        };
  for (auto [name, coreai] :
       {Operator{"lt", "greater"}, Operator{"le", "greater_equal"}})
    table["_operator." + std::string(name)] =
        [op = StringRef(coreai)](Call &call) {
          call.replace(call.broadcasting(op, {call.extent(1), call.extent(0)}));
        };
  table["aten.sym_size.int"] = lowerSize;
  table["aten.sym_numel.default"] = lowerElementCount;
  table["bessemer.shape_vector"] = [](Call &call) {
    call.replace(call.shapeVector(call.extents(0)));
  };
}
