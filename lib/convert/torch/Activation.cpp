//===- Activation.cpp - Activations with parameters, softmax --------------===//
#include "convert/torch/Lowerings.h"

#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;

static void lowerGelu(Call &call) {
  auto kind = call.string(1, "none") == "tanh"
                  ? coreai::GeluApproximation::Tanh
                  : coreai::GeluApproximation::None;
  Builder &builder = call.getBuilder();
  NamedAttribute approximate(
      builder.getStringAttr("approximate"),
      coreai::GeluApproximationAttr::get(builder.getContext(), kind));
  call.replace(call.op("gelu", call.tensor(0), approximate));
}

static Value isPositive(Call &call, Value value) {
  return call.broadcasting("greater",
                           {value, call.integer(0, call.resultElement())});
}

static void lowerLeakyRelu(Call &call) {
  Type element = call.resultElement();
  Value value = call.value(0, element);
  Value slope = call.number(call.number(1, 0.01), element);
  Value scaled = call.broadcasting("mul", {value, slope});
  call.replace(
      call.broadcasting("where", {isPositive(call, value), value, scaled}));
}

/// x > 0 ? x * scale : (exp(x * input_scale) - 1) * alpha * scale
static void lowerElu(Call &call) {
  Type element = call.resultElement();
  double alpha = call.number(1, 1), scale = call.number(2, 1),
         inputScale = call.number(3, 1);
  Value value = call.value(0, element);
  auto times = [&](Value factor, double by) {
    return by == 1
               ? factor
               : call.broadcasting("mul", {factor, call.number(by, element)});
  };
  Value exponential = call.op("exp", times(value, inputScale));
  Value below =
      call.broadcasting("sub", {exponential, call.integer(1, element)});
  call.replace(
      call.broadcasting("where", {isPositive(call, value), times(value, scale),
                                  times(below, alpha * scale)}));
}

/// The part of x / 6 + 1 / 2 between 0 and 1.
static Value hardSigmoid(Call &call, Value value) {
  Type element = call.resultElement();
  Value shifted = call.broadcasting("add", {value, call.integer(3, element)});
  Value low = call.broadcasting("maximum", {shifted, call.integer(0, element)});
  Value capped = call.broadcasting("minimum", {low, call.integer(6, element)});
  return call.broadcasting("divide", {capped, call.integer(6, element)});
}

/// beta * x > threshold ? x : log(1 + exp(beta * x)) / beta
static void lowerSoftplus(Call &call) {
  Type element = call.resultElement();
  double beta = call.number(1, 1), threshold = call.number(2, 20);
  Value value = call.value(0, element), factor = call.number(beta, element);
  Value scaled = call.broadcasting("mul", {value, factor});
  Value sum = call.broadcasting(
      "add", {call.op("exp", scaled), call.integer(1, element)});
  Value soft = call.broadcasting("divide", {call.op("log", sum), factor});
  Value isLinear =
      call.broadcasting("greater", {scaled, call.number(threshold, element)});
  call.replace(call.broadcasting("where", {isLinear, value, soft}));
}

static Value softmax(Call &call, Value value) {
  int64_t rank = value ? tensorType(value).getRank() : 0;
  return call.op("softmax", {value, call.si32(call.axis(1, rank))});
}

static void lowerSoftmax(Call &call) {
  call.replace(softmax(call, call.value(0, call.resultElement())));
}

/// x - max - log(sum(exp(x - max))): does not lose small probabilities.
static void lowerLogSoftmax(Call &call) {
  Value value = call.value(0, call.resultElement());
  int64_t rank = value ? tensorType(value).getRank() : 0;
  Value axes = call.si32Vector({call.axis(1, rank)});
  Value shifted =
      call.broadcasting("sub", {value, call.op("reduce_max", {value, axes})});
  Value sum = call.op("reduce_sum", {call.op("exp", shifted), axes});
  call.replace(call.broadcasting("sub", {shifted, call.op("log", sum)}));
}

void bessemer::addActivationLowerings(LoweringTable &table) {
  table["aten.gelu.default"] = lowerGelu;
  table["aten.leaky_relu.default"] = lowerLeakyRelu;
  table["aten.elu.default"] = lowerElu;
  table["aten.softplus.default"] = lowerSoftplus;
  table["aten.hardsigmoid.default"] = [](Call &call) {
    call.replace(hardSigmoid(call, call.value(0, call.resultElement())));
  };
  table["aten.hardswish.default"] = [](Call &call) {
    Value value = call.value(0, call.resultElement());
    call.replace(call.broadcasting("mul", {value, hardSigmoid(call, value)}));
  };
  table["aten.hardtanh.default"] = [](Call &call) {
    Type element = call.resultElement();
    Value low = call.number(call.number(1, -1), element);
    Value high = call.number(call.number(2, 1), element);
    Value value = call.value(0, element);
    call.replace(call.broadcasting(
        "minimum", {call.broadcasting("maximum", {value, low}), high}));
  };
  table["aten._softmax.default"] = table["aten.softmax.int"] = lowerSoftmax;
  table["aten._log_softmax.default"] = table["aten.log_softmax.int"] =
      lowerLogSoftmax;
}
