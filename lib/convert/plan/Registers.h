//===- Registers.h - Shape arithmetic of a plan -----------------*- C++ -*-===//
//
// Makes registers and the steps that set them. Equal expressions share a
// register and constants fold, so that equal registers mean equal extents: in
// a static program all extents are constants.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CONVERT_PLAN_REGISTERS_H
#define BESSEMER_CONVERT_PLAN_REGISTERS_H

#include "plan/Plan.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace bessemer {

using RegList = std::vector<plan::Reg>;

class Registers {
public:
  explicit Registers(plan::Plan &plan) : plan(plan) {}

  plan::Reg constant(int64_t value);
  plan::Reg dim(uint32_t input, int64_t axis);
  plan::Reg op(plan::ScalarOp op, plan::Reg a, plan::Reg b);
  plan::Reg add(plan::Reg a, plan::Reg b) {
    return op(plan::ScalarOp::Add, a, b);
  }
  plan::Reg sub(plan::Reg a, plan::Reg b) {
    return op(plan::ScalarOp::Sub, a, b);
  }
  plan::Reg mul(plan::Reg a, plan::Reg b) {
    return op(plan::ScalarOp::Mul, a, b);
  }
  plan::Reg min(plan::Reg a, plan::Reg b) {
    return op(plan::ScalarOp::Min, a, b);
  }
  plan::Reg max(plan::Reg a, plan::Reg b) {
    return op(plan::ScalarOp::Max, a, b);
  }
  /// A slice bound that may count from the end, clamped to [0, extent].
  plan::Reg sliceBound(plan::Reg value, plan::Reg extent);
  RegList constants(const std::vector<int64_t> &values);
  plan::Reg product(const RegList &factors);
  /// Row-major strides, in elements.
  RegList denseStrides(const RegList &shape);

  /// The value, if it is known now.
  std::optional<int64_t> known(plan::Reg reg) const;
  bool is(plan::Reg reg, int64_t value) const { return known(reg) == value; }

  /// Adds a check unless it surely holds; false if it surely fails.
  bool require(plan::RequireStep::Relation relation, plan::Reg a, plan::Reg b,
               const std::string &message);
  bool requireEqual(plan::Reg a, plan::Reg b, const std::string &message) {
    return require(plan::RequireStep::Relation::Equal, a, b, message);
  }

private:
  using Key = std::tuple<plan::ScalarOp, uint32_t, uint32_t, int64_t>;
  plan::Reg step(const Key &key);
  bool isNonNegative(const Key &key) const;
  std::optional<plan::Reg> simplify(plan::ScalarOp op, plan::Reg a,
                                    plan::Reg b);

  plan::Plan &plan;
  std::map<Key, plan::Reg> made;
  std::map<plan::Reg, int64_t> values;
  std::set<plan::Reg> nonNegative;
  std::map<std::tuple<int, plan::Reg, plan::Reg>, bool> required;
};

} // namespace bessemer

#endif // BESSEMER_CONVERT_PLAN_REGISTERS_H
