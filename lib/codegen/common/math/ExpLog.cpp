//===- ExpLog.cpp - Exponentials and logarithms ---------------------------===//
#include "codegen/common/math/MathBuilder.h"

namespace math = bessemer::codegen::math;
using namespace bessemer::codegen::math;

namespace {
/// 1.5 * 2^23: adding it leaves the nearest integer in the low bits.
constexpr double roundingShift = 12582912.0;
constexpr uint32_t roundingShiftBits = 0x4b400000;

/// x rounded to an integer, as float and as i32. |x| < 2^22; NaN gives some
/// integer.
struct Rounded {
  Value *asFloat, *asInteger;
};

/// A float as mantissa in [sqrt(1/2), sqrt(2)) minus one, and exponent.
struct Decomposed {
  Value *fraction; ///< mantissa - 1
  Value *exponent; ///< as float
};
} // namespace

static Rounded roundScaled(MathBuilder &m, Value *x, double scale) {
  Value *shifted = m.madd(x, m.constant(scale), m.constant(roundingShift));
  return {m.sub(shifted, m.constant(roundingShift)),
          m.b.CreateSub(m.bits(shifted), m.integer(roundingShiftBits))};
}

/// 2^n for n in [-126, 127].
static Value *powerOfTwo(MathBuilder &m, Value *n) {
  return m.fromBits(m.b.CreateShl(m.b.CreateAdd(n, m.integer(127)), 23));
}

/// p * 2^n in two steps, so that n may lie outside the exponent range and
/// denormal results round once.
static Value *scale(MathBuilder &m, Value *p, Value *n) {
  Value *half = m.b.CreateAShr(n, 1);
  Value *rest = m.b.CreateSub(n, half);
  return m.mul(m.mul(p, powerOfTwo(m, half)), powerOfTwo(m, rest));
}

/// e^r on [-ln2/2, ln2/2].
static Value *expPolynomial(MathBuilder &m, Value *r) {
  return m.polynomial(r, {1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120,
                          1.0 / 720, 1.0 / 5040});
}

/// x - n ln2; the high part has few bits, so that the product is exact.
static Value *subtractLn2(MathBuilder &m, Value *x, Value *n) {
  x = m.madd(n, m.constant(-0.693359375), x);
  return m.madd(n, m.constant(2.12194440e-4), x);
}

Value *math::exp(MathBuilder &m, Value *x, int shift) {
  x = m.clamp(x, -105.0, 90.0); // 0 and infinity after scaling
  Rounded n = roundScaled(m, x, 1.44269504088896341);
  Value *p = expPolynomial(m, subtractLn2(m, x, n.asFloat));
  return scale(m, p, m.b.CreateAdd(n.asInteger, m.integer(shift)));
}

/// 2^n p with p in [1, 2): then n reaches -127 or 128, where the bits of 2^n
/// are those of 0 and infinity, just where the result is no normal float. So
/// smaller ones become 0, larger ones infinity; NaN stays.
Value *math::expFast(MathBuilder &m, Value *x) {
  x = m.clamp(x, -87.9, 88.9);
  const uint32_t bias = 127;
  Value *shift = m.constant(roundingShift + bias);
  // n = floor(x / ln2)
  Value *shifted = m.add(
      m.madd(x, m.constant(1.44269504088896341), m.constant(-0.5)), shift);
  Value *n = m.sub(shifted, shift);
  Value *r = m.madd(n, m.constant(-0.693147180559945), x);
  // Minimax on [0, ln2], exact at 0.
  Value *p = m.polynomial(r, {1.0, 1.000005960163326, 0.499870836293696,
                              0.167554905542011, 0.0390626426068545,
                              0.0116693701377982});
  return m.mul(p, m.fromBits(m.b.CreateShl(m.bits(shifted), 23)));
}

Value *math::exp2(MathBuilder &m, Value *x) {
  x = m.clamp(x, -151.0, 129.0);
  Rounded n = roundScaled(m, x, 1.0);
  Value *r = m.sub(x, n.asFloat);
  // ln2^k / k!
  Value *p = m.polynomial(r, {1.0, 0.693147180559945, 0.240226506959101,
                              0.0555041086648216, 0.00961812910762848,
                              0.00133335581464284, 0.000154035303933816,
                              0.0000152527338040598});
  return scale(m, p, n.asInteger);
}

Value *math::exp10(MathBuilder &m, Value *x) {
  x = m.clamp(x, -46.0, 39.0);
  Rounded n = roundScaled(m, x, 3.32192809488736235);
  Value *r = m.madd(n.asFloat, m.constant(-0.30102920532226563), x);
  r = m.madd(n.asFloat, m.constant(-7.9034151668e-07), r);
  // ln10^k / k!
  Value *p = m.polynomial(r, {1.0, 2.30258509299404568, 2.65094905523919900,
                              2.03467859229347619, 1.17125514891226696,
                              0.539382929195581415, 0.206995848696868103,
                              0.0680893650744370688, 0.0195976946062620});
  return scale(m, p, n.asInteger);
}

static Decomposed decompose(MathBuilder &m, Value *x) {
  // A denormal gets its exponent by scaling.
  Value *tiny = m.less(x, m.constant(1.17549435e-38));
  Value *normal = m.select(tiny, m.mul(x, m.constant(8388608.0)), x);
  Value *bias = m.select(tiny, m.constant(-23.0), m.constant(0.0));
  const uint32_t sqrtHalf = 0x3f3504f3;
  Value *offset = m.b.CreateSub(m.bits(normal), m.integer(sqrtHalf));
  Value *mantissa = m.fromBits(m.b.CreateAdd(
      m.b.CreateAnd(offset, m.integer(0x7fffff)), m.integer(sqrtHalf)));
  Value *exponent = m.b.CreateSIToFP(m.b.CreateAShr(offset, 23), m.f32());
  return {m.sub(mantissa, m.constant(1.0)), m.add(exponent, bias)};
}

namespace {
/// log(1 + f) = f - square + correction, square = f*f/2.
struct LogParts {
  Value *square, *correction;
};
} // namespace

/// The atanh series in s = f / (2 + f).
static LogParts logParts(MathBuilder &m, Value *f) {
  Value *s = m.div(f, m.add(f, m.constant(2.0)));
  Value *z = m.mul(s, s);
  Value *series =
      m.mul(z, m.polynomial(z, {2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11}));
  Value *square = m.mul(m.mul(f, f), m.constant(0.5));
  return {square, m.mul(s, m.add(square, series))};
}

/// The values that the series does not give: 0, negatives, infinity, NaN.
static Value *logSpecials(MathBuilder &m, Value *x, Value *result) {
  result = m.select(m.equal(x, m.infinity()), x, result);
  result = m.select(m.equal(x, m.constant(0)), m.neg(m.infinity()), result);
  Value *undefined = m.b.CreateFCmpULT(x, m.constant(0));
  return m.select(undefined, m.nan(), result);
}

Value *math::log(MathBuilder &m, Value *x) {
  Decomposed d = decompose(m, x);
  LogParts parts = logParts(m, d.fraction);
  Value *low =
      m.madd(d.exponent, m.constant(9.0580006145e-06), parts.correction);
  Value *result = m.sub(d.fraction, m.sub(parts.square, low));
  result = m.madd(d.exponent, m.constant(0.69313812256), result);
  return logSpecials(m, x, result);
}

/// log(x) * (high + low) + exponent * (expHigh + expLow), with log(mantissa)
/// split so that its leading part times `high` is exact.
static Value *logToBase(MathBuilder &m, Value *x, double high, double low,
                        double expHigh, double expLow) {
  Decomposed d = decompose(m, x);
  LogParts parts = logParts(m, d.fraction);
  Value *leading = m.fromBits(m.b.CreateAnd(
      m.bits(m.sub(d.fraction, parts.square)), m.integer(0xfffff000)));
  Value *rest =
      m.add(m.sub(m.sub(d.fraction, leading), parts.square), parts.correction);
  Value *sum = m.mul(m.add(rest, leading), m.constant(low));
  sum = m.madd(d.exponent, m.constant(expLow), sum);
  sum = m.madd(rest, m.constant(high), sum);
  sum = m.madd(leading, m.constant(high), sum);
  sum = m.madd(d.exponent, m.constant(expHigh), sum);
  return logSpecials(m, x, sum);
}

Value *math::log2(MathBuilder &m, Value *x) {
  return logToBase(m, x, 1.4428710938, -1.7605285393e-04, 1.0, 0.0);
}

Value *math::log10(MathBuilder &m, Value *x) {
  return logToBase(m, x, 4.3432617188e-01, -3.1689971365e-05, 3.0102920532e-01,
                   7.9034151668e-07);
}
