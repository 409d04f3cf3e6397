//===- Hyperbolic.cpp - Hyperbolic functions and their inverses -----------===//
#include "codegen/common/math/MathBuilder.h"

namespace math = bessemer::codegen::math;
using namespace bessemer::codegen::math;

static constexpr double ln2 = 0.693147180559945309;
/// Beyond it x*x + 1 is x*x, and x*x may overflow.
static constexpr double squareLimit = 1e9;

Value *math::sinh(MathBuilder &m, Value *x) {
  Value *magnitude = m.abs(x), *z = m.mul(x, x);
  Value *p = m.polynomial(z, {1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880});
  Value *small = m.madd(m.mul(x, z), p, x);
  Value *half = exp(m, magnitude, -1); // e^|x| / 2
  Value *large = m.sub(half, m.div(m.constant(0.25), half));
  return m.select(m.less(magnitude, m.constant(1.0)), small,
                  m.copysign(large, x));
}

Value *math::cosh(MathBuilder &m, Value *x) {
  Value *half = exp(m, m.abs(x), -1);
  return m.add(half, m.div(m.constant(0.25), half));
}

Value *math::tanh(MathBuilder &m, Value *x) {
  Value *magnitude = m.abs(x), *z = m.mul(x, x);
  Value *p =
      m.polynomial(z, {-3.33332819422e-1, 1.33314422036e-1, -5.37397155531e-2,
                       2.06390887954e-2, -5.70498872745e-3});
  Value *small = m.madd(m.mul(x, z), p, x);
  Value *twice = exp(m, m.add(magnitude, magnitude));
  Value *large = m.sub(m.constant(1.0),
                       m.div(m.constant(2.0), m.add(twice, m.constant(1.0))));
  return m.select(m.less(magnitude, m.constant(0.625)), small,
                  m.copysign(large, x));
}

Value *math::asinh(MathBuilder &m, Value *x) {
  Value *magnitude = m.abs(x), *z = m.mul(x, x);
  Value *p = m.polynomial(z, {-1.6666288134e-1, 7.4847586088e-2,
                              -4.2699340972e-2, 2.0122003309e-2});
  Value *small = m.madd(m.mul(x, z), p, x);
  Value *huge = m.greater(magnitude, m.constant(squareLimit));
  Value *root = m.sqrt(m.add(z, m.constant(1.0)));
  Value *argument = m.select(huge, magnitude, m.add(magnitude, root));
  Value *large =
      m.add(log(m, argument), m.select(huge, m.constant(ln2), m.constant(0)));
  return m.select(m.less(magnitude, m.constant(0.5)), small,
                  m.copysign(large, x));
}

Value *math::acosh(MathBuilder &m, Value *x) {
  Value *z = m.sub(x, m.constant(1.0));
  Value *p = m.polynomial(z, {1.4142135263, -1.1784741703e-1, 2.6454905019e-2,
                              -7.5272886713e-3, 1.7596881071e-3});
  Value *small = m.mul(m.sqrt(z), p);
  Value *huge = m.greater(x, m.constant(squareLimit));
  Value *root = m.sqrt(m.mul(z, m.add(x, m.constant(1.0))));
  Value *argument = m.select(huge, x, m.add(x, root));
  Value *large =
      m.add(log(m, argument), m.select(huge, m.constant(ln2), m.constant(0)));
  Value *result = m.select(m.less(z, m.constant(0.5)), small, large);
  return m.select(m.b.CreateFCmpULT(x, m.constant(1.0)), m.nan(), result);
}

Value *math::atanh(MathBuilder &m, Value *x) {
  Value *magnitude = m.abs(x), *z = m.mul(x, x);
  Value *p =
      m.polynomial(z, {3.33337300303e-1, 1.99782164500e-1, 1.46691431730e-1,
                       8.24370301058e-2, 1.81740078349e-1});
  Value *small = m.madd(m.mul(x, z), p, x);
  Value *ratio = m.div(m.add(m.constant(1.0), magnitude),
                       m.sub(m.constant(1.0), magnitude));
  Value *large = m.mul(log(m, ratio), m.constant(0.5));
  return m.select(m.less(magnitude, m.constant(0.5)), small,
                  m.copysign(large, x));
}
