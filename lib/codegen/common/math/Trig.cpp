//===- Trig.cpp - Sine, cosine, tangent -----------------------------------===//
#include "codegen/common/math/MathBuilder.h"

#include <array>

namespace math = bessemer::codegen::math;
using namespace bessemer::codegen::math;

/// The binary digits of 2/pi, behind 32 zeros.
static constexpr std::array<uint32_t, 8> twoOverPi{
    0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1,
    0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

/// Word `index` + `ahead` of 2/pi, index in [0, 4].
static Value *digits(MathBuilder &m, Value *index, unsigned ahead) {
  Value *word = m.integer(twoOverPi[ahead]);
  for (unsigned i = 1; i <= 4; ++i)
    word = m.select(m.b.CreateICmpEQ(index, m.integer(i)),
                    m.integer(twoOverPi[i + ahead]), word);
  return word;
}

/// The top 64 bits of mantissa * (96-bit window of 2/pi) mod 2^96, where the
/// window begins at the digit whose product has weight 2: the two leading bits
/// are the quadrant, the rest is the fraction of pi/2.
static Value *turns(MathBuilder &m, Value *magnitudeBits) {
  Value *exponent = m.b.CreateLShr(magnitudeBits, 23);
  Value *mantissa = m.b.CreateOr(
      m.b.CreateAnd(magnitudeBits, m.integer(0x7fffff)), m.integer(0x800000));
  Value *offset = m.b.CreateSub(exponent, m.integer(120));
  Value *index = m.b.CreateLShr(offset, 5);
  Value *shift = m.b.CreateAnd(offset, m.integer(31));

  std::array<Value *, 4> words;
  for (unsigned i = 0; i < 4; ++i)
    words[i] = digits(m, index, i);
  std::array<Value *, 3> window;
  Value *wide = m.b.CreateZExt(mantissa, m.i64());
  for (unsigned i = 0; i < 3; ++i) {
    Value *word = m.b.CreateIntrinsic(llvm::Intrinsic::fshl, {m.i32()},
                                      {words[i], words[i + 1], shift});
    window[i] = m.b.CreateMul(m.b.CreateZExt(word, m.i64()), wide);
  }
  Value *high = m.b.CreateShl(window[0], 32);
  Value *low = m.b.CreateLShr(window[2], 32);
  return m.b.CreateAdd(m.b.CreateAdd(high, window[1]), low);
}

Reduced math::reducePrecise(MathBuilder &m, Value *x) {
  Value *magnitude = m.abs(x);
  Value *negative = m.b.CreateICmpSLT(m.bits(x), m.integer(0));
  Value *small = m.b.CreateFCmpOLT(magnitude, m.constant(0.78539816));
  // Small arguments need no reduction; 1 stands in to keep the window valid.
  Value *magnitudeBits = m.bits(m.select(small, m.constant(1.0), magnitude));
  Value *product = turns(m, magnitudeBits);

  Value *rounded = m.b.CreateAdd(product, m.integer64(1ull << 61));
  Value *quadrant = m.b.CreateTrunc(m.b.CreateLShr(rounded, 62), m.i32());
  Value *fraction =
      m.b.CreateSub(product, m.b.CreateAnd(rounded, m.integer64(3ull << 62)));
  // pi/2 * 2^-62
  Value *angle =
      m.b.CreateFPTrunc(m.b.CreateFMul(m.b.CreateSIToFP(fraction, m.f64()),
                                       m.constant64(3.4061215800304634e-19)),
                        m.f32());
  angle = m.select(negative, m.neg(angle), angle);
  quadrant = m.select(negative, m.b.CreateNeg(quadrant), quadrant);

  angle = m.select(small, x, angle);
  quadrant = m.select(small, m.integer(0), quadrant);
  Value *finite = m.b.CreateFCmpOLT(magnitude, m.infinity());
  return {m.select(finite, angle, m.nan()), quadrant};
}

Reduced math::reduceFast(MathBuilder &m, Value *x) {
  const double shift = 12582912.0; // 1.5 * 2^23
  Value *shifted =
      m.madd(x, m.constant(0.636619772367581343), m.constant(shift));
  Value *n = m.sub(shifted, m.constant(shift));
  Value *angle = m.madd(n, m.constant(-1.5703125), x);
  angle = m.madd(n, m.constant(-4.837512969970703125e-4), angle);
  angle = m.madd(n, m.constant(-7.54978995489188216e-8), angle);
  return {angle, m.bits(shifted)};
}

Reduced math::reducePi(MathBuilder &m, Value *x) {
  // The period is 2; every step up to the product with pi is exact.
  Value *magnitude = m.abs(x);
  Value *turns =
      m.unary(llvm::Intrinsic::floor, m.mul(magnitude, m.constant(0.5)));
  Value *rest = m.sub(magnitude, m.add(turns, turns));
  Value *n = m.unary(llvm::Intrinsic::rint, m.add(rest, rest));
  Value *angle =
      m.mul(m.madd(n, m.constant(-0.5), rest), m.constant(3.14159265358979324));
  Value *defined = m.b.CreateFCmpOEQ(n, n);
  Value *quadrant =
      m.b.CreateFPToSI(m.select(defined, n, m.constant(0)), m.i32());
  Value *negative = m.b.CreateICmpSLT(m.bits(x), m.integer(0));
  return {m.select(negative, m.neg(angle), angle),
          m.select(negative, m.b.CreateNeg(quadrant), quadrant)};
}

/// sin on [-pi/4, pi/4].
static Value *sinPolynomial(MathBuilder &m, Value *r, Value *square) {
  Value *p = m.polynomial(
      square, {-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4});
  return m.madd(m.mul(r, square), p, r);
}

/// cos on [-pi/4, pi/4].
static Value *cosPolynomial(MathBuilder &m, Value *square) {
  Value *p = m.polynomial(square, {4.166664568298827e-2, -1.388731625493765e-3,
                                   2.443315711809948e-5});
  Value *start = m.madd(square, m.constant(-0.5), m.constant(1.0));
  return m.madd(m.mul(square, square), p, start);
}

/// Whether bit `bit` of the quadrant is set.
static Value *quadrantBit(MathBuilder &m, Value *quadrant, unsigned bit) {
  return m.b.CreateICmpNE(m.b.CreateAnd(quadrant, m.integer(1u << bit)),
                          m.integer(0));
}

/// sin(angle + quadrant pi/2).
static Value *sinAt(MathBuilder &m, Reduced r) {
  Value *square = m.mul(r.angle, r.angle);
  Value *value =
      m.select(quadrantBit(m, r.quadrant, 0), cosPolynomial(m, square),
               sinPolynomial(m, r.angle, square));
  return m.select(quadrantBit(m, r.quadrant, 1), m.neg(value), value);
}

Value *math::sinOf(MathBuilder &m, Reduced reduced) {
  return sinAt(m, reduced);
}

Value *math::cosOf(MathBuilder &m, Reduced reduced) {
  return sinAt(m,
               {reduced.angle, m.b.CreateAdd(reduced.quadrant, m.integer(1))});
}

Value *math::tanOf(MathBuilder &m, Reduced r) {
  Value *square = m.mul(r.angle, r.angle);
  Value *sine = sinPolynomial(m, r.angle, square);
  Value *cosine = cosPolynomial(m, square);
  Value *odd = quadrantBit(m, r.quadrant, 0);
  return m.div(m.select(odd, m.neg(cosine), sine), m.select(odd, sine, cosine));
}
