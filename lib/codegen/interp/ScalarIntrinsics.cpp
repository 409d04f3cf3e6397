//===- ScalarIntrinsics.cpp - llvm.* functions of operands alone ----------===//
#include "codegen/interp/Evaluate.h"
#include "codegen/interp/Math.h"

#include "llvm/ADT/StringRef.h"

using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

namespace {
/// One element of a call: its operands' leaves and their type.
struct Element {
  Intrinsic::ID id;
  Type *result;
  Type *type; ///< Of the first operand.
  SmallVector<Bits, 4> operands;

  APFloat number(unsigned i) const { return toFloat(operands[i], type); }
};
} // namespace

static Bits rounded(APFloat value, APFloat::roundingMode mode) {
  value.roundToIntegral(mode);
  return toBits(value);
}

static Bits fused(const Element &e) {
  APFloat value = e.number(0);
  value.fusedMultiplyAdd(e.number(1), e.number(2),
                         APFloat::rmNearestTiesToEven);
  return toBits(value);
}

static Bits copySign(const Element &e) {
  APFloat value = e.number(0);
  value.copySign(e.number(1));
  return toBits(value);
}

/// Correctly rounded: double's square root of a narrower type rounds to the
/// correct result, since double has more than twice its bits.
static Bits squareRoot(const Element &e) {
  APFloat value = e.number(0);
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return roundToBits(APFloat(squareRoot(value.convertToDouble())), e.type);
}

static std::optional<Bits> floatIntrinsic(const Element &e) {
  switch (e.id) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return fused(e);
  case Intrinsic::sqrt:
    return squareRoot(e);
  case Intrinsic::floor:
    return rounded(e.number(0), APFloat::rmTowardNegative);
  case Intrinsic::ceil:
    return rounded(e.number(0), APFloat::rmTowardPositive);
  case Intrinsic::trunc:
    return rounded(e.number(0), APFloat::rmTowardZero);
  case Intrinsic::round:
    return rounded(e.number(0), APFloat::rmNearestTiesToAway);
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return rounded(e.number(0), APFloat::rmNearestTiesToEven);
  case Intrinsic::fabs:
    return toBits(abs(e.number(0)));
  case Intrinsic::copysign:
    return copySign(e);
  case Intrinsic::minnum:
  case Intrinsic::minimumnum:
    return toBits(minimumnum(e.number(0), e.number(1)));
  case Intrinsic::maxnum:
  case Intrinsic::maximumnum:
    return toBits(maximumnum(e.number(0), e.number(1)));
  case Intrinsic::minimum:
    return toBits(minimum(e.number(0), e.number(1)));
  case Intrinsic::maximum:
    return toBits(maximum(e.number(0), e.number(1)));
  case Intrinsic::canonicalize:
    return e.operands[0];
  case Intrinsic::ldexp: {
    int64_t exponent = e.operands[1].getSExtValue();
    return toBits(scalbn(e.number(0),
                         int(std::clamp<int64_t>(exponent, -100000, 100000)),
                         APFloat::rmNearestTiesToEven));
  }
  case Intrinsic::is_fpclass:
    return toBits(
        (unsigned(e.number(0).classify()) & e.operands[1].getZExtValue()) != 0);
  case Intrinsic::fptosi_sat:
    return floatToInteger(e.number(0), leafWidth(e.result), true);
  case Intrinsic::fptoui_sat:
    return floatToInteger(e.number(0), leafWidth(e.result), false);
  default:
    return std::nullopt;
  }
}

/// The upper (or lower) word of two joined ones, shifted as funnel shifts do.
static Bits funnelShift(const Element &e, bool left) {
  unsigned width = e.operands[0].getBitWidth();
  unsigned count = e.operands[2].urem(uint64_t(width));
  Bits both = e.operands[0].concat(e.operands[1]);
  return left ? both.shl(count).extractBits(width, width)
              : both.lshr(count).trunc(width);
}

static Bits threeWay(bool less, bool greater, unsigned width) {
  return Bits(width, less ? -1 : greater, /*isSigned=*/true);
}

static std::optional<Bits> integerIntrinsic(const Element &e) {
  const Bits &a = e.operands[0];
  unsigned width = a.getBitWidth();
  switch (e.id) {
  case Intrinsic::ctpop:
    return Bits(width, a.popcount());
  case Intrinsic::ctlz:
    return Bits(width, a.countl_zero());
  case Intrinsic::cttz:
    return Bits(width, a.countr_zero());
  case Intrinsic::bitreverse:
    return a.reverseBits();
  case Intrinsic::bswap:
    return a.byteSwap();
  case Intrinsic::abs:
    return a.abs();
  case Intrinsic::fshl:
    return funnelShift(e, true);
  case Intrinsic::fshr:
    return funnelShift(e, false);
  case Intrinsic::smin:
    return APIntOps::smin(a, e.operands[1]);
  case Intrinsic::smax:
    return APIntOps::smax(a, e.operands[1]);
  case Intrinsic::umin:
    return APIntOps::umin(a, e.operands[1]);
  case Intrinsic::umax:
    return APIntOps::umax(a, e.operands[1]);
  case Intrinsic::sadd_sat:
    return a.sadd_sat(e.operands[1]);
  case Intrinsic::uadd_sat:
    return a.uadd_sat(e.operands[1]);
  case Intrinsic::ssub_sat:
    return a.ssub_sat(e.operands[1]);
  case Intrinsic::usub_sat:
    return a.usub_sat(e.operands[1]);
  case Intrinsic::sshl_sat:
    return a.sshl_sat(e.operands[1]);
  case Intrinsic::ushl_sat:
    return a.ushl_sat(e.operands[1]);
  case Intrinsic::scmp:
    return threeWay(a.slt(e.operands[1]), a.sgt(e.operands[1]),
                    leafWidth(e.result));
  case Intrinsic::ucmp:
    return threeWay(a.ult(e.operands[1]), a.ugt(e.operands[1]),
                    leafWidth(e.result));
  default:
    return std::nullopt;
  }
}

/// Results {value, overflow}.
static std::optional<Leaves> withOverflow(Intrinsic::ID id, const Bits &a,
                                          const Bits &b) {
  bool overflow;
  Bits value;
  switch (id) {
  case Intrinsic::sadd_with_overflow:
    value = a.sadd_ov(b, overflow);
    break;
  case Intrinsic::uadd_with_overflow:
    value = a.uadd_ov(b, overflow);
    break;
  case Intrinsic::ssub_with_overflow:
    value = a.ssub_ov(b, overflow);
    break;
  case Intrinsic::usub_with_overflow:
    value = a.usub_ov(b, overflow);
    break;
  case Intrinsic::smul_with_overflow:
    value = a.smul_ov(b, overflow);
    break;
  case Intrinsic::umul_with_overflow:
    value = a.umul_ov(b, overflow);
    break;
  default:
    return std::nullopt;
  }
  return Leaves{value, toBits(overflow)};
}

/// {fraction in [0.5, 1), exponent}.
static Leaves splitFloat(const Element &e, Type *result) {
  int exponent = 0;
  APFloat fraction = frexp(e.number(0), exponent, APFloat::rmNearestTiesToEven);
  if (!e.number(0).isFinite())
    exponent = 0;
  unsigned width = leafWidth(result->getStructElementType(1));
  return {toBits(fraction), Bits(width, exponent, /*isSigned=*/true)};
}

/// How llvm.vector.reduce.* combines two elements: the equal scalar operation.
static std::optional<Bits> combine(const Element &e) {
  auto binary = [&](unsigned opcode) {
    return evaluateBinary(opcode, e.type, e.operands[0], e.operands[1]);
  };
  auto call = [&](Intrinsic::ID id) {
    Element scalar = e;
    scalar.id = id;
    return e.type->isFloatingPointTy() ? floatIntrinsic(scalar)
                                       : integerIntrinsic(scalar);
  };
  switch (e.id) {
  case Intrinsic::vector_reduce_add:
    return binary(Instruction::Add);
  case Intrinsic::vector_reduce_mul:
    return binary(Instruction::Mul);
  case Intrinsic::vector_reduce_and:
    return binary(Instruction::And);
  case Intrinsic::vector_reduce_or:
    return binary(Instruction::Or);
  case Intrinsic::vector_reduce_xor:
    return binary(Instruction::Xor);
  case Intrinsic::vector_reduce_fadd:
    return binary(Instruction::FAdd);
  case Intrinsic::vector_reduce_fmul:
    return binary(Instruction::FMul);
  case Intrinsic::vector_reduce_smax:
    return call(Intrinsic::smax);
  case Intrinsic::vector_reduce_smin:
    return call(Intrinsic::smin);
  case Intrinsic::vector_reduce_umax:
    return call(Intrinsic::umax);
  case Intrinsic::vector_reduce_umin:
    return call(Intrinsic::umin);
  case Intrinsic::vector_reduce_fmax:
    return call(Intrinsic::maxnum);
  case Intrinsic::vector_reduce_fmin:
    return call(Intrinsic::minnum);
  default:
    return std::nullopt;
  }
}

static std::optional<Leaves> reduceVector(Intrinsic::ID id, Type *result,
                                          Operands operands) {
  // The ordered float forms start from a scalar operand.
  const Leaves &vector = *operands.back();
  bool hasStart = operands.size() == 2;
  Bits value = hasStart ? (*operands[0])[0] : vector[0];
  for (unsigned i = hasStart ? 0 : 1; i < vector.size(); ++i) {
    auto next = combine({id, result, result, {value, vector[i]}});
    if (!next)
      return std::nullopt;
    value = *next;
  }
  return Leaves{value};
}

std::optional<Leaves> interp::evaluateIntrinsic(Intrinsic::ID id, Type *result,
                                                Type *operand,
                                                Operands operands) {
  if (!operand || operands.empty())
    return std::nullopt;
  if (id == Intrinsic::expect || id == Intrinsic::expect_with_probability ||
      id == Intrinsic::ssa_copy || id == Intrinsic::launder_invariant_group)
    return *operands[0];
  if (id == Intrinsic::is_constant)
    return Leaves{toBits(false)};
  Type *scalar = operand->getScalarType();
  if (StringRef(Intrinsic::getBaseName(id)).starts_with("llvm.vector.reduce."))
    return reduceVector(id, result, operands);
  if (result->isStructTy()) {
    if (operand->isVectorTy())
      return std::nullopt;
    if (id == Intrinsic::frexp)
      return splitFloat({id, result, scalar, {(*operands[0])[0]}}, result);
    if (operands.size() != 2)
      return std::nullopt;
    return withOverflow(id, (*operands[0])[0], (*operands[1])[0]);
  }
  Leaves value;
  for (unsigned i = 0; i < leafCount(result); ++i) {
    Element element{id, result->getScalarType(), scalar, {}};
    for (const Leaves *leaves : operands)
      element.operands.push_back((*leaves)[leaves->size() == 1 ? 0 : i]);
    auto leaf = scalar->isFloatingPointTy() ? floatIntrinsic(element)
                                            : integerIntrinsic(element);
    if (!leaf)
      return std::nullopt;
    value.push_back(*leaf);
  }
  return value;
}
