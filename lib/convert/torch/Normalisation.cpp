//===- Normalisation.cpp - Layer, batch and group norm, attention ---------===//
//
// Statistics and attention scores of half and bfloat tensors are computed in
// float, as torch does.
//
//===----------------------------------------------------------------------===//
#include "convert/torch/Composite.h"

#include "ir/dialect/CoreAI.h"

#include <cmath>

using namespace bessemer;
using namespace mlir;

namespace {
struct Normalised {
  Value value, mean, reciprocal; ///< (x - mean) / sqrt(variance + epsilon)
};
} // namespace

static Normalised normalise(Call &call, Value value, ArrayRef<int64_t> axes,
                            double epsilon) {
  if (!value)
    return {};
  Type element = elementOf(value);
  Value vector = call.si32Vector(axes);
  Value mean = call.op("reduce_mean", {value, vector});
  Value distance = call.broadcasting("sub", {value, mean});
  Value variance = call.op(
      "reduce_mean", {call.broadcasting("mul", {distance, distance}), vector});
  Value shifted =
      call.broadcasting("add", {variance, call.number(epsilon, element)});
  Value reciprocal = call.op("rsqrt", shifted);
  return {call.broadcasting("mul", {distance, reciprocal}), mean, reciprocal};
}

/// value * weight + bias, either of them optional.
static Value scaleAndShift(Call &call, Value value, Value weight, Value bias) {
  if (weight)
    value = call.broadcasting("mul", {value, weight});
  if (bias)
    value = call.broadcasting("add", {value, bias});
  return value;
}

/// A parameter as float; null if it is None.
static Value parameter(Call &call, unsigned index, Type element) {
  return call.isNone(index) ? Value() : call.value(index, element);
}

/// One value for each channel (axis 1) of a tensor of this rank.
static Value perChannel(Call &call, Value vector, int64_t rank) {
  if (!vector)
    return {};
  SmallVector<int64_t> shape(rank, 1);
  shape[1] = tensorType(vector).getDimSize(0);
  return call.reshape(vector, shape);
}

static void replaceAll(Call &call, ArrayRef<Value> values) {
  SmallVector<Value> results;
  for (unsigned i = 0; i < call.resultCount() && i < values.size(); ++i)
    results.push_back(call.cast(values[i], call.resultElement(i)));
  call.replace(results);
}

/// input, normalized_shape, weight, bias, eps
static void lowerLayerNorm(Call &call) {
  Type element = call.getBuilder().getF32Type();
  Value value = call.value(0, element);
  if (!value)
    return;
  int64_t rank = tensorType(value).getRank();
  auto count = static_cast<int64_t>(call.extents(1).size());
  if (count > rank) {
    call.fail("normalized_shape has more dimensions than the input");
    return;
  }
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(rank - count, rank));
  Normalised norm = normalise(call, value, axes, call.number(4, 1e-5));
  Value result = scaleAndShift(call, norm.value, parameter(call, 2, element),
                               parameter(call, 3, element));
  replaceAll(call, {result, norm.mean, norm.reciprocal});
}

/// input, weight, bias, running_mean, running_var, momentum, eps
static void lowerBatchNorm(Call &call) {
  Type element = call.getBuilder().getF32Type();
  Value value = call.value(0, element);
  if (!value || tensorType(value).getRank() < 2) {
    call.fail("needs an input of rank 2 or more");
    return;
  }
  int64_t rank = tensorType(value).getRank();
  auto channel = [&](unsigned index) {
    return perChannel(call, parameter(call, index, element), rank);
  };
  Value shifted = call.broadcasting(
      "add", {channel(4), call.number(call.number(6, 1e-5), element)});
  Value distance = call.broadcasting("sub", {value, channel(3)});
  Value scaled =
      call.broadcasting("mul", {distance, call.op("rsqrt", shifted)});
  Value result = scaleAndShift(call, scaled, channel(1), channel(2));
  // What training would save: empty, as in torch.
  Value none = call.constant(DenseElementsAttr::get(
      RankedTensorType::get({0}, element), ArrayRef<Attribute>()));
  replaceAll(call, {result, none, none});
}

/// input, weight, bias, N, C, HxW, group, eps
static void lowerGroupNorm(Call &call) {
  Type element = call.getBuilder().getF32Type();
  Value value = call.value(0, element);
  if (!value || !tensorType(value).hasStaticShape() ||
      tensorType(value).getRank() < 2) {
    call.fail("needs an input of static shape and rank 2 or more");
    return;
  }
  RankedTensorType type = tensorType(value);
  int64_t batch = type.getDimSize(0), groups = call.integer(6);
  if (groups <= 0 || batch == 0 || type.getNumElements() % (batch * groups)) {
    call.fail("the number of groups does not divide the channels");
    return;
  }
  Value rows = call.reshape(
      value, {batch, groups, type.getNumElements() / (batch * groups)});
  Normalised norm = normalise(call, rows, {2}, call.number(7, 1e-5));
  auto channel = [&](unsigned index) {
    return perChannel(call, parameter(call, index, element), type.getRank());
  };
  Value result = scaleAndShift(call, call.reshape(norm.value, type.getShape()),
                               channel(1), channel(2));
  replaceAll(call, {result, call.reshape(norm.mean, {batch, groups}),
                    call.reshape(norm.reciprocal, {batch, groups})});
}

/// Scores that take part: those on or below the diagonal.
static Value causalMask(Call &call, Value scores) {
  int64_t rank = tensorType(scores).getRank();
  auto range = [&](int64_t axis) {
    return call.op("range",
                   {call.si32(0), call.extent(scores, axis), call.si32(1)});
  };
  Value rows = call.op("expand_dims", {range(rank - 2), call.si32Vector({1})});
  return call.broadcasting("greater_equal", {rows, range(rank - 1)});
}

/// query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa
static void lowerAttention(Call &call) {
  Type element = call.getBuilder().getF32Type();
  Value query = call.value(0, element), key = call.value(1, element),
        value = call.value(2, element);
  if (!query || !key || tensorType(key).getRank() < 2 ||
      tensorType(query).isDynamicDim(tensorType(query).getRank() - 1)) {
    call.fail("needs tensors of rank 2 or more whose last dimension is static");
    return;
  }
  if (call.number(4, 0.0) != 0 || call.boolean(7, false)) {
    call.fail("dropout and grouped queries are not supported");
    return;
  }
  int64_t rank = tensorType(key).getRank();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(rank));
  std::swap(order[rank - 1], order[rank - 2]);
  double depth = tensorType(query).getDimSize(tensorType(query).getRank() - 1);
  Value scale = call.number(call.number(6, 1 / std::sqrt(depth)), element);
  Value scores = call.broadcasting(
      "batch_matmul",
      {call.broadcasting("mul", {query, scale}), call.transpose(key, order)});
  Value hidden = call.number(-HUGE_VAL, element);
  if (scores && call.boolean(5, false))
    scores =
        call.broadcasting("where", {causalMask(call, scores), scores, hidden});
  if (!call.isNone(3)) {
    Value mask = call.tensor(3);
    bool isBool = mask && elementOf(mask).isInteger(1);
    scores = isBool
                 ? call.broadcasting("where", {mask, scores, hidden})
                 : call.broadcasting("add", {scores, call.cast(mask, element)});
  }
  Value weights = call.op("softmax", {scores, call.si32(-1)});
  Value result = call.broadcasting("batch_matmul", {weights, value});
  call.replace(call.cast(result, call.resultElement()));
}

void bessemer::addNormalisationLowerings(LoweringTable &table) {
  table["aten.native_layer_norm.default"] = lowerLayerNorm;
  table["aten.layer_norm.default"] = lowerLayerNorm;
  table["aten._native_batch_norm_legit_no_training.default"] = lowerBatchNorm;
  table["aten.native_group_norm.default"] = lowerGroupNorm;
  table["aten.scaled_dot_product_attention.default"] = lowerAttention;
}
