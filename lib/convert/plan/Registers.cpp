//===- Registers.cpp - Shape arithmetic of a plan -------------------------===//
#include "convert/plan/Registers.h"

#include "llvm/Support/MathExtras.h"

using namespace bessemer;
using namespace bessemer::plan;

/// Extents and what is made of them by operations that keep the sign.
bool Registers::isNonNegative(const Key &key) const {
  auto [op, a, b, immediate] = key;
  bool left = nonNegative.count(a), right = nonNegative.count(b);
  switch (op) {
  case ScalarOp::Constant:
    return immediate >= 0;
  case ScalarOp::Dim:
    return true;
  case ScalarOp::Add:
  case ScalarOp::Mul:
  case ScalarOp::FloorDiv:
  case ScalarOp::CeilDiv:
  case ScalarOp::Mod:
  case ScalarOp::Min:
    return left && right;
  case ScalarOp::Max:
    return left || right;
  case ScalarOp::Sub:
  case ScalarOp::Read:
    return false;
  }
  return false;
}

Reg Registers::step(const Key &key) {
  auto [entry, isNew] = made.try_emplace(key, plan.registerCount);
  if (isNew) {
    auto [op, a, b, immediate] = key;
    if (isNonNegative(key))
      nonNegative.insert(plan.registerCount);
    plan.steps.push_back(ScalarStep{op, plan.registerCount++, a, b, immediate});
  }
  return entry->second;
}

Reg Registers::constant(int64_t value) {
  Reg reg = step({ScalarOp::Constant, 0, 0, value});
  values[reg] = value;
  return reg;
}

Reg Registers::dim(uint32_t input, int64_t axis) {
  return step({ScalarOp::Dim, input, 0, axis});
}

std::optional<int64_t> Registers::known(Reg reg) const {
  auto found = values.find(reg);
  return found == values.end() ? std::nullopt
                               : std::optional<int64_t>(found->second);
}

/// The value of `a op b`; none if it is left to the run (overflow, x / 0).
static std::optional<int64_t> evaluate(ScalarOp op, int64_t a, int64_t b) {
  int64_t result;
  bool isDivisible = b > 0;
  switch (op) {
  case ScalarOp::Add:
    return llvm::AddOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  case ScalarOp::Sub:
    return llvm::SubOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  case ScalarOp::Mul:
    return llvm::MulOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  case ScalarOp::FloorDiv:
    return isDivisible ? std::optional(llvm::divideFloorSigned(a, b))
                       : std::nullopt;
  case ScalarOp::CeilDiv:
    return isDivisible ? std::optional(llvm::divideCeilSigned(a, b))
                       : std::nullopt;
  case ScalarOp::Mod:
    return isDivisible ? std::optional(llvm::mod(a, b)) : std::nullopt;
  case ScalarOp::Min:
    return std::min(a, b);
  case ScalarOp::Max:
    return std::max(a, b);
  case ScalarOp::Constant:
  case ScalarOp::Dim:
  case ScalarOp::Read:
    break;
  }
  return std::nullopt;
}

std::optional<Reg> Registers::simplify(ScalarOp op, Reg a, Reg b) {
  std::optional<int64_t> left = known(a), right = known(b);
  if (left && right)
    if (std::optional<int64_t> value = evaluate(op, *left, *right))
      return constant(*value);
  switch (op) {
  case ScalarOp::Add:
    return left == 0    ? std::optional(b)
           : right == 0 ? std::optional(a)
                        : std::nullopt;
  case ScalarOp::Sub:
    return a == b       ? std::optional(constant(0))
           : right == 0 ? std::optional(a)
                        : std::nullopt;
  case ScalarOp::Mul:
    if (left == 0 || right == 0)
      return constant(0);
    return left == 1    ? std::optional(b)
           : right == 1 ? std::optional(a)
                        : std::nullopt;
  case ScalarOp::FloorDiv:
  case ScalarOp::CeilDiv:
    return right == 1 ? std::optional(a) : std::nullopt;
  case ScalarOp::Min:
  case ScalarOp::Max:
    return a == b ? std::optional(a) : std::nullopt;
  default:
    return std::nullopt;
  }
}

static bool isCommutative(ScalarOp op) {
  return op == ScalarOp::Add || op == ScalarOp::Mul || op == ScalarOp::Min ||
         op == ScalarOp::Max;
}

Reg Registers::op(ScalarOp op, Reg a, Reg b) {
  if (std::optional<Reg> simple = simplify(op, a, b))
    return *simple;
  if (isCommutative(op) && b < a)
    std::swap(a, b);
  return step({op, a, b, 0});
}

Reg Registers::sliceBound(Reg value, Reg extent) {
  Reg zero = constant(0), one = constant(1);
  if (value == extent)
    return extent;
  if (!nonNegative.count(value)) {
    // 1 if it counts from the end, else 0.
    Reg isFromEnd = min(max(sub(zero, value), zero), one);
    value = add(value, mul(isFromEnd, extent));
  }
  Reg bound = min(value, extent);
  return nonNegative.count(bound) ? bound : max(bound, zero);
}

RegList Registers::constants(const std::vector<int64_t> &list) {
  RegList regs;
  for (int64_t value : list)
    regs.push_back(constant(value));
  return regs;
}

Reg Registers::product(const RegList &factors) {
  Reg result = constant(1);
  for (Reg factor : factors)
    result = mul(result, factor);
  return result;
}

RegList Registers::denseStrides(const RegList &shape) {
  RegList strides(shape.size(), 0);
  Reg stride = constant(1);
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    if (i > 0)
      stride = mul(stride, shape[i]);
  }
  return strides;
}

bool Registers::require(RequireStep::Relation relation, Reg a, Reg b,
                        const std::string &message) {
  std::optional<int64_t> left = known(a), right = known(b);
  bool isEqual = relation == RequireStep::Relation::Equal;
  if (a == b)
    return true;
  if (left && right)
    return isEqual ? *left == *right : *left <= *right;
  if (required.try_emplace({isEqual, a, b}, true).second)
    plan.steps.push_back(RequireStep{relation, a, b, message});
  return true;
}
