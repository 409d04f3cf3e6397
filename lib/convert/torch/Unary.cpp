//===- Unary.cpp - Elementwise ops of one tensor, casts -------------------===//
#include "convert/torch/Lowerings.h"

#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;

namespace {
struct Renamed {
  const char *torch, *coreai;
};
} // namespace

/// Computed in the result's element type: integers become float first.
static constexpr Renamed renamed[] = {
    {"abs", "abs"},     {"acos", "acos"},       {"acosh", "acosh"},
    {"asin", "asin"},   {"asinh", "asinh"},     {"atan", "atan"},
    {"atanh", "atanh"}, {"cos", "cos"},         {"cosh", "cosh"},
    {"erf", "erf"},     {"exp", "exp"},         {"log", "log"},
    {"relu", "relu"},   {"round", "round"},     {"rsqrt", "rsqrt"},
    {"sin", "sin"},     {"sigmoid", "sigmoid"}, {"silu", "silu"},
    {"sinh", "sinh"},   {"sqrt", "sqrt"},       {"tan", "tan"},
    {"tanh", "tanh"},
};

static Value input(Call &call) { return call.value(0, call.resultElement()); }

/// The complement; of a boolean, its negation.
static void lowerBitwiseNot(Call &call) {
  Type element = call.resultElement();
  Value value = input(call);
  if (element.isInteger(1))
    return call.replace(call.op("not", value));
  Value ones = call.Emitter::integer(
      element.isUnsignedInteger()
          ? llvm::maxUIntN(element.getIntOrFloatBitWidth())
          : -1,
      element);
  call.replace(call.broadcasting("bitwise_xor", {value, ones}));
}

static Value floorOf(Call &call, Value value) {
  if (!value || !isa<FloatType>(elementOf(value)))
    return value;
  return call.broadcasting("floor_divide",
                           {value, call.integer(1, elementOf(value))});
}

static Value negate(Call &call, Value value) {
  return value ? call.broadcasting("mul",
                                   {value, call.integer(-1, elementOf(value))})
               : Value();
}

static Value plus(Call &call, Value value, int64_t addend) {
  return value ? call.broadcasting(
                     "add", {value, call.integer(addend, elementOf(value))})
               : Value();
}

static void lowerReciprocal(Call &call) {
  Value one = call.integer(1, call.resultElement());
  call.replace(call.broadcasting("divide", {one, input(call)}));
}

static void lowerCeil(Call &call) {
  call.replace(negate(call, floorOf(call, negate(call, input(call)))));
}

/// Towards zero: the floor of the magnitude, with the sign put back.
static void lowerTrunc(Call &call) {
  Value value = input(call);
  Value down = floorOf(call, value);
  Value up = negate(call, floorOf(call, negate(call, value)));
  Value zero = call.integer(0, call.resultElement());
  Value isNegative = call.broadcasting("greater", {zero, value});
  call.replace(call.broadcasting("where", {isNegative, up, down}));
}

static void lowerLogarithm(Call &call, double base) {
  Value log = call.op("log", input(call));
  Value scale = call.number(1 / std::log(base), call.resultElement());
  call.replace(call.broadcasting("mul", {log, scale}));
}

static void lowerSign(Call &call) {
  Value value = input(call), zero = call.integer(0, call.resultElement());
  Value above = call.cast(call.broadcasting("greater", {value, zero}),
                          call.resultElement());
  Value below = call.cast(call.broadcasting("greater", {zero, value}),
                          call.resultElement());
  call.replace(call.broadcasting("sub", {above, below}));
}

static void lowerIsNan(Call &call) {
  Value value = call.tensor(0);
  call.replace(call.broadcasting("not_equal", {value, value}));
}

static void lowerIsInf(Call &call) {
  Value value = call.op("abs", call.tensor(0));
  if (!value)
    return;
  Value infinity = call.number(HUGE_VAL, elementOf(value));
  call.replace(call.broadcasting("equal", {value, infinity}));
}

void bessemer::addUnaryLowerings(LoweringTable &table) {
  for (auto [torch, coreai] : renamed)
    table["aten." + std::string(torch) + ".default"] =
        [name = StringRef(coreai)](Call &call) {
          call.replace(call.op(name, input(call)));
        };
  table["aten.neg.default"] = [](Call &call) {
    call.replace(negate(call, input(call)));
  };
  table["aten.floor.default"] = [](Call &call) {
    call.replace(floorOf(call, input(call)));
  };
  table["aten.ceil.default"] = lowerCeil;
  table["aten.trunc.default"] = lowerTrunc;
  table["aten.reciprocal.default"] = lowerReciprocal;
  table["aten.sign.default"] = lowerSign;
  table["aten.isnan.default"] = lowerIsNan;
  table["aten.isinf.default"] = lowerIsInf;
  table["aten.square.default"] = [](Call &call) {
    Value value = input(call);
    call.replace(call.broadcasting("mul", {value, value}));
  };
  table["aten.log2.default"] = [](Call &call) { lowerLogarithm(call, 2); };
  table["aten.log10.default"] = [](Call &call) { lowerLogarithm(call, 10); };
  table["aten.log1p.default"] = [](Call &call) {
    call.replace(call.op("log", plus(call, input(call), 1)));
  };
  table["aten.expm1.default"] = [](Call &call) {
    call.replace(plus(call, call.op("exp", input(call)), -1));
  };
  table["aten.logical_not.default"] = [](Call &call) {
    call.replace(
        call.op("not", call.cast(call.tensor(0), call.resultElement())));
  };
  table["aten.bitwise_not.default"] = lowerBitwiseNot;
  for (const char *name :
       {"aten._to_copy.default", "aten.to.dtype",
        "prims.convert_element_type.default", "aten.clone.default",
        "aten.alias.default", "aten.detach.default",
        "aten.lift_fresh_copy.default", "aten.contiguous.default",
        "aten._assert_tensor_metadata.default"})
    table[name] = [](Call &call) {
      if (call.resultCount() == 0)
        return call.replace({});
      call.replace(input(call));
    };
}
