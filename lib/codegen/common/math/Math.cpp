//===- Math.cpp - The table of math functions -----------------------------===//
#include "codegen/common/math/Math.h"

#include "codegen/common/math/MathBuilder.h"

using namespace bessemer::codegen;
using namespace bessemer::codegen::math;

namespace {
using Unary = Value *(*)(MathBuilder &, Value *);
using Binary = Value *(*)(MathBuilder &, Value *, Value *);
struct Row {
  llvm::StringLiteral name;
  Unary precise1 = nullptr, fast1 = nullptr;
  Binary precise2 = nullptr, fast2 = nullptr;
};
} // namespace

template <Reduced (*reduce)(MathBuilder &, Value *),
          Value *(*of)(MathBuilder &, Reduced)>
static Value *trig(MathBuilder &m, Value *x) {
  return of(m, reduce(m, x));
}

static Value *expPrecise(MathBuilder &m, Value *x) { return exp(m, x); }

static const Row rows[] = {
    {"exp", expPrecise, expFast},
    {"exp2", exp2, exp2},
    {"exp10", exp10, exp10},
    {"log", log, log},
    {"log2", log2, log2},
    {"log10", log10, log10},
    {"sin", trig<reducePrecise, sinOf>, trig<reduceFast, sinOf>},
    {"cos", trig<reducePrecise, cosOf>, trig<reduceFast, cosOf>},
    {"tan", trig<reducePrecise, tanOf>, trig<reduceFast, tanOf>},
    {"sinpi", trig<reducePi, sinOf>, trig<reducePi, sinOf>},
    {"cospi", trig<reducePi, cosOf>, trig<reducePi, cosOf>},
    {"tanpi", trig<reducePi, tanOf>, trig<reducePi, tanOf>},
    {"asin", asin, asin},
    {"acos", acos, acos},
    {"atan", atan, atan},
    {"sinh", sinh, sinh},
    {"cosh", cosh, cosh},
    {"tanh", tanh, tanh},
    {"asinh", asinh, asinh},
    {"acosh", acosh, acosh},
    {"atanh", atanh, atanh},
    {"rsqrt", rsqrtPrecise, rsqrtFast},
    {"atan2", nullptr, nullptr, atan2, atan2},
    {"pow", nullptr, nullptr, pow, pow},
    {"fmod", nullptr, nullptr, fmodPrecise, fmodFast},
};

llvm::Value *
bessemer::codegen::emitMath(llvm::IRBuilderBase &builder,
                            llvm::StringRef function, bool precise,
                            llvm::ArrayRef<llvm::Value *> operands) {
  for (const Row &row : rows) {
    if (row.name != function)
      continue;
    MathBuilder m(builder, operands[0]->getType());
    if (Unary unary = precise ? row.precise1 : row.fast1)
      return unary(m, operands[0]);
    Binary binary = precise ? row.precise2 : row.fast2;
    return binary(m, operands[0], operands[1]);
  }
  return nullptr;
}
