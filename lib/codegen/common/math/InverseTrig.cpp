//===- InverseTrig.cpp - Inverse trigonometric functions ------------------===//
#include "codegen/common/math/MathBuilder.h"

namespace math = bessemer::codegen::math;
using namespace bessemer::codegen::math;

static constexpr double pi = 3.14159265358979324;

/// asin(s) for s in [-0.5, 0.5], given z = s*s.
static Value *asinCore(MathBuilder &m, Value *s, Value *z) {
  Value *p = m.polynomial(z, {1.6666752422e-1, 7.4953002686e-2, 4.5470025998e-2,
                              2.4181311049e-2, 4.2163199048e-2});
  return m.madd(m.mul(s, z), p, s);
}

Value *math::asin(MathBuilder &m, Value *x) {
  Value *magnitude = m.abs(x);
  Value *large = m.greater(magnitude, m.constant(0.5));
  Value *z =
      m.select(large, m.mul(m.sub(m.constant(1.0), magnitude), m.constant(0.5)),
               m.mul(x, x));
  Value *s = m.select(large, m.sqrt(z), magnitude);
  Value *core = asinCore(m, s, z);
  Value *result =
      m.select(large, m.sub(m.constant(pi / 2), m.add(core, core)), core);
  return m.copysign(result, x);
}

Value *math::acos(MathBuilder &m, Value *x) {
  Value *magnitude = m.abs(x);
  Value *large = m.greater(magnitude, m.constant(0.5));
  Value *z =
      m.select(large, m.mul(m.sub(m.constant(1.0), magnitude), m.constant(0.5)),
               m.mul(x, x));
  Value *core = asinCore(m, m.select(large, m.sqrt(z), x), z);
  Value *twice = m.add(core, core);
  Value *negative = m.less(x, m.constant(0));
  Value *far = m.select(negative, m.sub(m.constant(pi), twice), twice);
  return m.select(large, far, m.sub(m.constant(pi / 2), core));
}

/// atan of t >= 0.
static Value *atanPositive(MathBuilder &m, Value *t) {
  Value *huge = m.greater(t, m.constant(2.414213562373095));   // tan(3pi/8)
  Value *large = m.greater(t, m.constant(0.4142135623730950)); // tan(pi/8)
  Value *numerator = m.select(huge, m.constant(-1.0),
                              m.select(large, m.sub(t, m.constant(1.0)), t));
  Value *denominator = m.select(
      huge, t, m.select(large, m.add(t, m.constant(1.0)), m.constant(1.0)));
  Value *offset = m.select(huge, m.constant(pi / 2),
                           m.select(large, m.constant(pi / 4), m.constant(0)));
  Value *u = m.div(numerator, denominator);
  Value *z = m.mul(u, u);
  Value *p = m.polynomial(z, {-3.33329491539e-1, 1.99777106478e-1,
                              -1.38776856032e-1, 8.05374449538e-2});
  return m.add(offset, m.madd(m.mul(u, z), p, u));
}

Value *math::atan(MathBuilder &m, Value *x) {
  return m.copysign(atanPositive(m, m.abs(x)), x);
}

Value *math::atan2(MathBuilder &m, Value *y, Value *x) {
  Value *ax = m.abs(x), *ay = m.abs(y);
  Value *steep = m.greater(ay, ax);
  Value *larger = m.select(steep, ay, ax), *smaller = m.select(steep, ax, ay);
  Value *ratio = m.div(smaller, larger);
  // 0/0 stands for an axis, inf/inf for a diagonal.
  ratio = m.select(m.equal(larger, m.constant(0)), m.constant(0), ratio);
  ratio = m.select(m.equal(smaller, m.infinity()), m.constant(1.0), ratio);
  Value *angle = atanPositive(m, ratio);
  angle = m.select(steep, m.sub(m.constant(pi / 2), angle), angle);
  Value *left = m.b.CreateICmpSLT(m.bits(x), m.integer(0));
  angle = m.select(left, m.sub(m.constant(pi), angle), angle);
  Value *undefined = m.b.CreateFCmpUNO(x, y);
  return m.select(undefined, m.nan(), m.copysign(angle, y));
}
