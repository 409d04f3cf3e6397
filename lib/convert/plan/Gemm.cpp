//===- Gemm.cpp - Matrix products in a plan -------------------------------===//
#include "convert/plan/Steps.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

static bool isProduct(Operation *op) {
  return op && isa<BatchMatmulOp, BroadcastingBatchMatmulOp>(op);
}

namespace {
/// A dense tensor, and whether its last two axes are swapped.
struct Matrix {
  TensorId tensor;
  bool isTransposed;
};
} // namespace

/// A transposed view of a dense tensor needs no copy.
static Matrix matrixOf(PlanContext &context, Value value) {
  TensorId id = context.tensorOf(value);
  TensorInfo view = context.info(id);
  if (view.strides.empty())
    return {id, false};
  size_t rank = view.shape.size();
  std::swap(view.shape[rank - 1], view.shape[rank - 2]);
  std::swap(view.strides[rank - 1], view.strides[rank - 2]);
  TensorId swapped =
      context.alias(id, view.shape, view.strides, context.regs.constant(0));
  if (context.info(swapped).strides.empty())
    return {swapped, true};
  return {context.dense(id), false};
}

/// The vector that `add` adds to the last axis of a product it alone uses.
static Value biasOf(PlanContext &context, BroadcastingAddOp add,
                    Operation *&product) {
  for (auto [sum, bias] : {std::pair(add.getLhs(), add.getRhs()),
                           std::pair(add.getRhs(), add.getLhs())}) {
    product = sum.getDefiningOp();
    if (!isProduct(product) || !sum.hasOneUse() ||
        product->getBlock() != add->getBlock() ||
        context.outputs.contains(sum) || sum.getType() != add.getType())
      continue;
    const RegList &shape = context.shapeOf(sum);
    const RegList &vector = context.shapeOf(bias);
    bool isFloat = isa<FloatType>(bias.getType().getElementType());
    if (vector.size() == 1 && vector.back() == shape.back() && isFloat)
      return bias;
  }
  return {};
}

bool bessemer::isBiasOfGemm(PlanContext &context, Operation *op) {
  auto add = dyn_cast<BroadcastingAddOp>(op);
  Operation *product = nullptr;
  return add && biasOf(context, add, product);
}

/// The addition that a product's step does as well, if any.
static BroadcastingAddOp biasAdd(PlanContext &context, Operation *product) {
  Value result = product->getResult(0);
  auto add = result.hasOneUse()
                 ? dyn_cast<BroadcastingAddOp>(*result.getUsers().begin())
                 : BroadcastingAddOp();
  Operation *found = nullptr;
  return add && biasOf(context, add, found) && found == product
             ? add
             : BroadcastingAddOp();
}

static void emitProduct(PlanContext &context, Operation *product, Value result,
                        Value bias) {
  Value lhs = product->getOperand(0), rhs = product->getOperand(1);
  DType dtype = context.dtypeOf(product, result);
  if (dtype != DType::F32 && dtype != DType::F16 && dtype != DType::BF16) {
    context.fail(product, ErrorKind::Unsupported,
                 "matrix products need float32, float16 or bfloat16; cast the "
                 "operands");
    return;
  }
  Matrix a = matrixOf(context, lhs), b = matrixOf(context, rhs);
  GemmStep step;
  step.a = a.tensor;
  step.transposeA = a.isTransposed;
  step.b = b.tensor;
  step.transposeB = b.isTransposed;
  if (bias) {
    step.hasBias = true;
    step.bias = context.dense(context.tensorOf(bias));
  }
  step.c = context.allocate(result);
  context.addStep(step);
}

bool bessemer::emitGemm(PlanContext &context, Operation *op) {
  if (isProduct(op)) {
    // With a bias the step comes where the bias is known: at the addition.
    if (!biasAdd(context, op))
      emitProduct(context, op, op->getResult(0), {});
    return true;
  }
  auto add = dyn_cast<BroadcastingAddOp>(op);
  Operation *product = nullptr;
  Value bias = add ? biasOf(context, add, product) : Value();
  if (!bias)
    return false;
  emitProduct(context, product, add.getResult(), bias);
  return true;
}
