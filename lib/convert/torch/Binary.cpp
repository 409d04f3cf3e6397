//===- Binary.cpp - Elementwise ops of two or three tensors ---------------===//
#include "convert/torch/Lowerings.h"

#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// bool < integer < float; numbers of a higher category decide.
static unsigned category(Type element) {
  return isa<FloatType>(element) ? 2 : element.isInteger(1) ? 0 : 1;
}

/// The type two tensors are compared in: torch's promotion without its rules
/// for tensors of rank 0, which the exporter has applied.
static Type promote(Type a, Type b) {
  if (category(a) != category(b))
    return category(a) > category(b) ? a : b;
  if (a == b)
    return a;
  if (category(a) == 2 &&
      a.getIntOrFloatBitWidth() == b.getIntOrFloatBitWidth())
    return Float32Type::get(a.getContext()); // half and bfloat
  return a.getIntOrFloatBitWidth() >= b.getIntOrFloatBitWidth() ? a : b;
}

/// The common element type of arguments `first` and `first + 1`.
static Type commonElement(Call &call, unsigned first) {
  if (call.isNumber(first + 1)) {
    Value value = call.tensor(first);
    if (!value)
      return call.getBuilder().getF32Type();
    Type element = elementOf(value);
    return call.isFloat(first + 1) && category(element) < 2
               ? Type(call.getBuilder().getF32Type())
           : category(element) == 0 && !call.isBoolean(first + 1)
               ? Type(IntegerType::get(element.getContext(), 32,
                                       IntegerType::Signed))
               : element;
  }
  Value lhs = call.tensor(first), rhs = call.tensor(first + 1);
  return lhs && rhs ? promote(elementOf(lhs), elementOf(rhs))
                    : Type(call.getBuilder().getF32Type());
}

//===----------------------------------------------------------------------===//
// Arithmetic: in the result's element type
//===----------------------------------------------------------------------===//

namespace {
struct Renaming {
  const char *torch, *coreai;
};
} // namespace

static constexpr Renaming arithmetic[] = {
    {"mul", "mul"},
    {"pow", "pow"},
    {"maximum", "maximum"},
    {"minimum", "minimum"},
    {"remainder", "modulo"},
    {"floor_divide", "floor_divide"},
    {"bitwise_and", "bitwise_and"},
    {"bitwise_or", "bitwise_or"},
    {"bitwise_xor", "bitwise_xor"},
};

static constexpr Renaming comparisons[] = {
    {"eq", "equal"},   {"ne", "not_equal"},     {"gt", "greater"},
    {"lt", "greater"}, {"ge", "greater_equal"}, {"le", "greater_equal"},
};

static constexpr Renaming logical[] = {
    {"logical_and", "and"}, {"logical_or", "or"}, {"logical_xor", "xor"}};

static constexpr const char *overloads[] = {".default", ".Tensor", ".Scalar",
                                            ".Tensor_Tensor", ".Tensor_Scalar"};

static void lowerArithmetic(Call &call, StringRef name) {
  Type element = call.resultElement();
  // The bitwise ops of torch serve booleans as well.
  if (element.isInteger(1))
    name.consume_front("bitwise_");
  call.replace(call.broadcasting(
      name, {call.value(0, element), call.value(1, element)}));
}

/// first + second * alpha; `isReversed`: second - first * alpha.
static void lowerSum(Call &call, StringRef name, bool isReversed) {
  Type element = call.resultElement();
  Value lhs = call.value(0, element), rhs = call.value(1, element);
  if (isReversed)
    std::swap(lhs, rhs);
  if (!call.isNone(2) && call.number(2) != 1)
    rhs = call.broadcasting("mul", {rhs, call.value(2, element)});
  call.replace(call.broadcasting(name, {lhs, rhs}));
}

static void lowerComparison(Call &call, StringRef name, bool isSwapped) {
  Type element = commonElement(call, 0);
  Value lhs = call.value(0, element), rhs = call.value(1, element);
  if (isSwapped)
    std::swap(lhs, rhs);
  call.replace(call.broadcasting(name, {lhs, rhs}));
}

static void lowerLogical(Call &call, StringRef name) {
  Type element = call.resultElement();
  call.replace(call.broadcasting(name, {call.cast(call.tensor(0), element),
                                        call.cast(call.tensor(1), element)}));
}

/// |a| mod |b| with the sign of a.
static void lowerFmod(Call &call) {
  Type element = call.resultElement();
  Value lhs = call.value(0, element), rhs = call.value(1, element);
  Value rest =
      call.broadcasting("modulo", {call.op("abs", lhs), call.op("abs", rhs)});
  Value negated = call.broadcasting("mul", {rest, call.integer(-1, element)});
  Value isNegative =
      call.broadcasting("greater", {call.integer(0, element), lhs});
  call.replace(call.broadcasting("where", {isNegative, negated, rest}));
}

/// Towards zero, for floats.
static Value truncate(Call &call, Value value) {
  if (!value)
    return {};
  Type element = elementOf(value);
  Value one = call.integer(1, element), minusOne = call.integer(-1, element);
  Value down = call.broadcasting("floor_divide", {value, one});
  Value negated = call.broadcasting("mul", {value, minusOne});
  Value up = call.broadcasting(
      "mul", {call.broadcasting("floor_divide", {negated, one}), minusOne});
  Value isNegative =
      call.broadcasting("greater", {call.integer(0, element), value});
  return call.broadcasting("where", {isNegative, up, down});
}

static void lowerDivide(Call &call) {
  Type element = call.resultElement();
  StringRef mode = call.string(2);
  Value lhs = call.value(0, element), rhs = call.value(1, element);
  Value result = call.broadcasting(mode == "floor" ? "floor_divide" : "divide",
                                   {lhs, rhs});
  // The quotient of integers is truncated as it is.
  if (mode == "trunc" && isa<FloatType>(element))
    result = truncate(call, result);
  call.replace(result);
}

static void lowerWhere(Call &call) {
  Type element = call.resultElement();
  call.replace(
      call.broadcasting("where", {call.tensor(0), call.value(1, element),
                                  call.value(2, element)}));
}

static void lowerClamp(Call &call) {
  Type element = call.resultElement();
  Value value = call.value(0, element);
  if (!call.isNone(1))
    value = call.broadcasting("maximum", {value, call.value(1, element)});
  if (!call.isNone(2))
    value = call.broadcasting("minimum", {value, call.value(2, element)});
  call.replace(value);
}

static void lowerMaskedFill(Call &call) {
  Type element = call.resultElement();
  call.replace(
      call.broadcasting("where", {call.tensor(1), call.value(2, element),
                                  call.value(0, element)}));
}

/// Both of a product and a sum: first + value * second (* or /) third.
static void lowerAddProduct(Call &call, StringRef name) {
  Type element = call.resultElement();
  Value part =
      call.broadcasting(name, {call.value(1, element), call.value(2, element)});
  if (!call.isNone(3) && call.number(3) != 1)
    part = call.broadcasting("mul", {part, call.value(3, element)});
  call.replace(call.broadcasting("add", {call.value(0, element), part}));
}

static void add(LoweringTable &table, StringRef name, Lowering lowering) {
  for (const char *overload : overloads)
    table[("aten." + name + overload).str()] = lowering;
}

static void addOtherLowerings(LoweringTable &table) {
  add(table, "fmod", lowerFmod);
  add(table, "div", lowerDivide);
  table["aten.div.Tensor_mode"] = table["aten.div.Scalar_mode"] = lowerDivide;
  table["aten.pow.Scalar"] = [](Call &call) { lowerArithmetic(call, "pow"); };
  for (const char *name : {"self", "ScalarSelf", "ScalarOther", "Scalar"})
    table["aten.where." + std::string(name)] = lowerWhere;
  add(table, "clamp", lowerClamp);
  add(table, "clamp_min", lowerClamp);
  add(table, "clamp_max", [](Call &call) {
    Type element = call.resultElement();
    call.replace(call.broadcasting(
        "minimum", {call.value(0, element), call.value(1, element)}));
  });
  table["aten.masked_fill.Scalar"] = table["aten.masked_fill.Tensor"] =
      lowerMaskedFill;
  table["aten.addcmul.default"] = [](Call &call) {
    lowerAddProduct(call, "mul");
  };
  table["aten.addcdiv.default"] = [](Call &call) {
    lowerAddProduct(call, "divide");
  };
}

void bessemer::addBinaryLowerings(LoweringTable &table) {
  for (auto [torch, coreai] : arithmetic)
    add(table, torch, [name = StringRef(coreai)](Call &call) {
      lowerArithmetic(call, name);
    });
  add(table, "add", [](Call &call) { lowerSum(call, "add", false); });
  add(table, "sub", [](Call &call) { lowerSum(call, "sub", false); });
  add(table, "rsub", [](Call &call) { lowerSum(call, "sub", true); });
  for (auto [torch, coreai] : comparisons)
    add(table, torch,
        [name = StringRef(coreai), isSwapped = torch[0] == 'l'](Call &call) {
          lowerComparison(call, name, isSwapped);
        });
  for (auto [torch, coreai] : logical)
    add(table, torch,
        [name = StringRef(coreai)](Call &call) { lowerLogical(call, name); });
  addOtherLowerings(table);
}
