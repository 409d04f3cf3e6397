//===- Misc.cpp - Reciprocal square root, remainder -----------------------===//
#include "codegen/common/math/MathBuilder.h"

namespace math = bessemer::codegen::math;
using namespace bessemer::codegen::math;

Value *math::rsqrtFast(MathBuilder &m, Value *x) {
  return m.div(m.constant(1.0), m.sqrt(x));
}

Value *math::rsqrtPrecise(MathBuilder &m, Value *x) {
  Value *root = m.sqrt(m.b.CreateFPExt(x, m.f64()));
  return m.b.CreateFPTrunc(m.div(m.constant64(1.0), root), m.f32());
}

Value *math::fmodFast(MathBuilder &m, Value *x, Value *y) {
  Value *ax = m.abs(x), *ay = m.abs(y);
  Value *quotient = m.unary(llvm::Intrinsic::trunc, m.div(ax, ay));
  Value *rest = m.madd(m.neg(quotient), ay, ax);
  // The quotient may be one off.
  rest = m.select(m.less(rest, m.constant(0)), m.add(rest, ay), rest);
  rest = m.select(m.b.CreateFCmpOGE(rest, ay), m.sub(rest, ay), rest);
  rest = m.select(m.equal(ay, m.infinity()), ax, rest);
  return m.copysign(rest, x);
}

namespace {
/// A positive float as integer * 2^exponent, exponent >= 1 (biased).
struct Scaled {
  Value *integer, *exponent;
};
} // namespace

static Scaled split(MathBuilder &m, Value *bits) {
  Value *exponent = m.b.CreateLShr(bits, 23);
  Value *denormal = m.b.CreateICmpEQ(exponent, m.integer(0));
  Value *fraction = m.b.CreateAnd(bits, m.integer(0x7fffff));
  Value *implicit = m.select(denormal, m.integer(0), m.integer(0x800000));
  return {m.b.CreateOr(fraction, implicit),
          m.select(denormal, m.integer(1), exponent)};
}

/// Exact: integer remainders, 40 bits of the quotient a step.
Value *math::fmodPrecise(MathBuilder &m, Value *x, Value *y) {
  Scaled dividend = split(m, m.bits(m.abs(x)));
  Scaled divisor = split(m, m.bits(m.abs(y)));
  Value *by = m.b.CreateZExt(divisor.integer, m.i64());
  by = m.select(m.b.CreateICmpEQ(by, m.integer64(0)), m.integer64(1), by);
  Value *rest = m.b.CreateZExt(dividend.integer, m.i64());
  Value *distance = m.b.CreateSub(dividend.exponent, divisor.exponent);
  Value *nearer = m.b.CreateICmpSLT(distance, m.integer(0));
  Value *left = m.select(nearer, m.integer(0), distance);
  rest = m.b.CreateURem(rest, by);
  for (unsigned step = 0; step < 7; ++step) { // 7 * 40 > 253 bits
    Value *shift =
        m.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, m.integer(40));
    rest =
        m.b.CreateURem(m.b.CreateShl(rest, m.b.CreateZExt(shift, m.i64())), by);
    left = m.b.CreateSub(left, shift);
  }
  // rest * 2^(divisor.exponent - 150), in double, where it is exact.
  Value *power = m.b.CreateAdd(m.b.CreateZExt(divisor.exponent, m.i64()),
                               m.integer64(1023 - 150));
  Value *scale = m.b.CreateBitCast(m.b.CreateShl(power, 52), m.f64());
  Value *result =
      m.b.CreateFPTrunc(m.mul(m.b.CreateUIToFP(rest, m.f64()), scale), m.f32());

  result = m.select(m.less(m.abs(x), m.abs(y)), m.abs(x), result);
  Value *undefined = m.b.CreateOr(
      m.b.CreateOr(m.b.CreateFCmpUNO(x, y), m.equal(y, m.constant(0))),
      m.equal(m.abs(x), m.infinity()));
  return m.select(undefined, m.nan(), m.copysign(result, x));
}
