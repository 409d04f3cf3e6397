//===- Matmul.cpp - Matrix products ---------------------------------------===//
#include "convert/torch/Lowerings.h"

using namespace bessemer;
using namespace mlir;

static Value product(Call &call, Value lhs, Value rhs) {
  return call.broadcasting("batch_matmul", {lhs, rhs});
}

static void lowerProduct(Call &call) {
  call.replace(product(call, call.tensor(0), call.tensor(1)));
}

/// beta * bias + alpha * (lhs x rhs)
static void lowerAddProduct(Call &call) {
  Type element = call.resultElement();
  Value result = product(call, call.tensor(1), call.tensor(2));
  Value bias = call.tensor(0);
  if (!call.isNone(4) && call.number(4) != 1)
    result = call.broadcasting("mul", {result, call.value(4, element)});
  if (!call.isNone(3) && call.number(3) != 1)
    bias = call.broadcasting("mul", {bias, call.value(3, element)});
  call.replace(call.broadcasting("add", {result, bias}));
}

/// The weight is stored as (out, in).
static void lowerLinear(Call &call) {
  Value input = call.tensor(0);
  Value result = product(call, input, call.transpose(call.tensor(1), {1, 0}));
  if (!call.isNone(2))
    result = call.broadcasting("add", {result, call.tensor(2)});
  call.replace(result);
}

/// torch.matmul: vectors become matrices and lose the extra axis again.
static void lowerMatmul(Call &call) {
  Value lhs = call.tensor(0), rhs = call.tensor(1);
  if (!lhs || !rhs)
    return;
  int64_t left = tensorType(lhs).getRank(), right = tensorType(rhs).getRank();
  if (left == 0 || right == 0) {
    call.fail("both operands need at least one dimension");
    return;
  }
  if (left == 1)
    lhs = call.op("expand_dims", {lhs, call.si32Vector({0})});
  if (right == 1)
    rhs = call.op("expand_dims", {rhs, call.si32Vector({1})});
  Value result = product(call, lhs, rhs);
  if (!result)
    return;
  int64_t rank = tensorType(result).getRank();
  SmallVector<int64_t> extra;
  if (left == 1)
    extra.push_back(rank - 2);
  if (right == 1)
    extra.push_back(rank - 1);
  if (!extra.empty())
    result = call.op("shrink_dims", {result, call.si32Vector(extra)});
  call.replace(result);
}

void bessemer::addMatmulLowerings(LoweringTable &table) {
  table["aten.mm.default"] = lowerProduct;
  table["aten.bmm.default"] = lowerProduct;
  table["aten.addmm.default"] = lowerAddProduct;
  table["aten.baddbmm.default"] = lowerAddProduct;
  table["aten.linear.default"] = lowerLinear;
  for (const char *name : {"matmul", "mv", "dot"})
    table["aten." + std::string(name) + ".default"] = lowerMatmul;
}
