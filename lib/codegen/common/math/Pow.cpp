//===- Pow.cpp - Powers ---------------------------------------------------===//
//
// exp2(y log2(x)) in double: the product needs about ten more bits than a float
// has.
//
//===----------------------------------------------------------------------===//
#include "codegen/common/math/MathBuilder.h"

namespace math = bessemer::codegen::math;
using namespace bessemer::codegen::math;

/// log2 of a positive, finite double.
static Value *log2Double(MathBuilder &m, Value *x) {
  const uint64_t sqrtHalf = 0x3fe6a09e667f3bcd;
  Value *bits = m.b.CreateBitCast(x, m.i64());
  Value *offset = m.b.CreateSub(bits, m.integer64(sqrtHalf));
  Value *mantissa = m.b.CreateBitCast(
      m.b.CreateAdd(m.b.CreateAnd(offset, m.integer64((1ull << 52) - 1)),
                    m.integer64(sqrtHalf)),
      m.f64());
  Value *exponent = m.b.CreateSIToFP(
      m.b.CreateTrunc(m.b.CreateAShr(offset, 52), m.i32()), m.f64());
  Value *s = m.div(m.sub(mantissa, m.constant64(1.0)),
                   m.add(mantissa, m.constant64(1.0)));
  Value *z = m.mul(s, s);
  Value *series = m.polynomial(z, {2.0, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9,
                                   2.0 / 11, 2.0 / 13, 2.0 / 15});
  return m.madd(m.mul(s, series), m.constant64(1.44269504088896341), exponent);
}

/// 2^x for a double in [-200, 200], rounded to float.
static Value *exp2Double(MathBuilder &m, Value *x) {
  Value *n = m.unary(llvm::Intrinsic::rint, x);
  Value *r = m.mul(m.sub(x, n), m.constant64(0.693147180559945309));
  Value *p = m.polynomial(r, {1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120,
                              1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880,
                              1.0 / 3628800});
  Value *exponent = m.b.CreateSExt(m.b.CreateFPToSI(n, m.i32()), m.i64());
  Value *scale = m.b.CreateBitCast(
      m.b.CreateShl(m.b.CreateAdd(exponent, m.integer64(1023)), 52), m.f64());
  return m.b.CreateFPTrunc(m.mul(p, scale), m.f32());
}

/// |x|^y for finite x != 0.
static Value *magnitudePower(MathBuilder &m, Value *x, Value *y) {
  Value *logarithm = log2Double(m, m.b.CreateFPExt(m.abs(x), m.f64()));
  Value *exponent = m.mul(logarithm, m.b.CreateFPExt(y, m.f64()));
  // Outside, the result is 0 or infinity anyway; NaN is handled by the caller.
  Value *low = m.constant64(-200), *high = m.constant64(200);
  exponent = m.select(m.greater(exponent, low), exponent, low);
  exponent = m.select(m.less(exponent, high), exponent, high);
  return exp2Double(m, exponent);
}

Value *math::pow(MathBuilder &m, Value *x, Value *y) {
  Value *zero = m.constant(0), *one = m.constant(1.0);
  Value *ax = m.abs(x), *ay = m.abs(y);
  Value *half = m.mul(ay, m.constant(0.5));
  auto isWhole = [&](Value *v) {
    return m.equal(m.unary(llvm::Intrinsic::trunc, v), v);
  };
  Value *whole = isWhole(ay);
  Value *odd = m.b.CreateAnd(whole, m.b.CreateNot(isWhole(half)));
  Value *yNegative = m.less(y, zero);

  Value *result = magnitudePower(m, x, y);
  // 0 and infinity: the magnitude is 0 or infinity.
  Value *toZero = m.select(yNegative, m.infinity(), zero);
  Value *toInfinity = m.select(yNegative, zero, m.infinity());
  result = m.select(m.equal(ax, zero), toZero, result);
  result = m.select(m.equal(ax, m.infinity()), toInfinity, result);
  // |x|^(+-inf).
  Value *growing = m.b.CreateXor(m.greater(ax, one), yNegative);
  Value *atInfinity =
      m.select(m.equal(ax, one), one, m.select(growing, m.infinity(), zero));
  result = m.select(m.equal(ay, m.infinity()), atInfinity, result);

  Value *negative = m.b.CreateICmpSLT(m.bits(x), m.integer(0));
  result = m.select(m.b.CreateAnd(negative, odd), m.neg(result), result);
  Value *finiteNegative =
      m.b.CreateAnd(m.less(x, zero), m.b.CreateNot(m.equal(ax, m.infinity())));
  Value *complex = m.b.CreateAnd(finiteNegative, m.b.CreateNot(whole));
  result = m.select(complex, m.nan(), result);
  result = m.select(m.b.CreateFCmpUNO(x, y), m.nan(), result);
  Value *isOne = m.b.CreateOr(m.equal(y, zero), m.equal(x, one));
  return m.select(isOne, one, result);
}
