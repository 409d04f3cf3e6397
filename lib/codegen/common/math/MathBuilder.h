//===- MathBuilder.h - Arithmetic on float, double and their bits -*- C++ -*-=//
//
// A thin layer over IRBuilder in which the functions of this folder are
// written: constants splat to the operand's shape, nothing carries fast-math
// flags (the sequences depend on their order), and multiply-add fuses where the
// machine has the instruction, without a library call where it has not.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_COMMON_MATH_MATHBUILDER_H
#define BESSEMER_CODEGEN_COMMON_MATH_MATHBUILDER_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

#include <initializer_list>

namespace bessemer::codegen::math {

using llvm::Value;

/// An angle reduced to [-pi/4, pi/4] and its quadrant (i32, only the two low
/// bits count).
struct Reduced {
  Value *angle;
  Value *quadrant;
};

class MathBuilder {
public:
  MathBuilder(llvm::IRBuilderBase &builder, llvm::Type *shape)
      : b(builder), guard(builder), shape(shape) {
    b.setFastMathFlags(llvm::FastMathFlags());
  }

  /// The type `element` in the shape of the operands.
  llvm::Type *type(llvm::Type *element) const {
    if (auto *vector = llvm::dyn_cast<llvm::VectorType>(shape))
      return llvm::VectorType::get(element, vector->getElementCount());
    return element;
  }
  llvm::Type *f32() const { return type(b.getFloatTy()); }
  llvm::Type *f64() const { return type(b.getDoubleTy()); }
  llvm::Type *i32() const { return type(b.getInt32Ty()); }
  llvm::Type *i64() const { return type(b.getInt64Ty()); }

  Value *constant(double value) { return llvm::ConstantFP::get(f32(), value); }
  Value *constant64(double value) {
    return llvm::ConstantFP::get(f64(), value);
  }
  Value *integer(uint32_t value) {
    return llvm::ConstantInt::get(i32(), value);
  }
  Value *integer64(uint64_t value) {
    return llvm::ConstantInt::get(i64(), value);
  }
  Value *infinity() { return llvm::ConstantFP::getInfinity(f32()); }
  Value *nan() { return llvm::ConstantFP::getNaN(f32()); }

  Value *add(Value *x, Value *y) { return b.CreateFAdd(x, y); }
  Value *sub(Value *x, Value *y) { return b.CreateFSub(x, y); }
  Value *mul(Value *x, Value *y) { return b.CreateFMul(x, y); }
  Value *div(Value *x, Value *y) { return b.CreateFDiv(x, y); }
  Value *neg(Value *x) { return b.CreateFNeg(x); }
  Value *madd(Value *x, Value *y, Value *z) {
    return b.CreateIntrinsic(llvm::Intrinsic::fmuladd, {x->getType()},
                             {x, y, z});
  }
  Value *unary(llvm::Intrinsic::ID id, Value *x) {
    return b.CreateUnaryIntrinsic(id, x);
  }
  Value *abs(Value *x) { return unary(llvm::Intrinsic::fabs, x); }
  Value *sqrt(Value *x) { return unary(llvm::Intrinsic::sqrt, x); }
  Value *copysign(Value *magnitude, Value *sign) {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude, sign);
  }
  Value *less(Value *x, Value *y) { return b.CreateFCmpOLT(x, y); }
  Value *greater(Value *x, Value *y) { return b.CreateFCmpOGT(x, y); }
  Value *equal(Value *x, Value *y) { return b.CreateFCmpOEQ(x, y); }
  Value *isNan(Value *x) { return b.CreateFCmpUNO(x, x); }
  Value *select(Value *c, Value *x, Value *y) {
    return b.CreateSelect(c, x, y);
  }
  /// NaN stays NaN: comparisons with it are false.
  Value *clamp(Value *x, double low, double high) {
    x = select(less(x, constant(low)), constant(low), x);
    return select(greater(x, constant(high)), constant(high), x);
  }

  Value *bits(Value *x) { return b.CreateBitCast(x, i32()); }
  Value *fromBits(Value *x) { return b.CreateBitCast(x, f32()); }

  /// c[0] + x (c[1] + x (c[2] + ...)), in the type of x.
  Value *polynomial(Value *x, std::initializer_list<double> coefficients) {
    const double *first = coefficients.begin(), *at = coefficients.end() - 1;
    Value *sum = llvm::ConstantFP::get(x->getType(), *at);
    while (at != first)
      sum = madd(sum, x, llvm::ConstantFP::get(x->getType(), *--at));
    return sum;
  }

  llvm::IRBuilderBase &b;

private:
  llvm::IRBuilderBase::FastMathFlagGuard guard;
  llvm::Type *shape;
};

// One file a family. All take and return f32 in the builder's shape.
/// e^x * 2^shift, without an intermediate overflow.
Value *exp(MathBuilder &m, Value *x, int shift = 0);
Value *expFast(MathBuilder &m, Value *x);
Value *exp2(MathBuilder &m, Value *x);
Value *exp10(MathBuilder &m, Value *x);
Value *log(MathBuilder &m, Value *x);
Value *log2(MathBuilder &m, Value *x);
Value *log10(MathBuilder &m, Value *x);
Value *pow(MathBuilder &m, Value *x, Value *y);

/// Exact for every float (Payne and Hanek's method).
Reduced reducePrecise(MathBuilder &m, Value *x);
/// Three-part constant; good to about |x| < 1e5, degrades beyond.
Reduced reduceFast(MathBuilder &m, Value *x);
/// x pi, exactly reduced.
Reduced reducePi(MathBuilder &m, Value *x);
Value *sinOf(MathBuilder &m, Reduced reduced);
Value *cosOf(MathBuilder &m, Reduced reduced);
Value *tanOf(MathBuilder &m, Reduced reduced);

Value *asin(MathBuilder &m, Value *x);
Value *acos(MathBuilder &m, Value *x);
Value *atan(MathBuilder &m, Value *x);
Value *atan2(MathBuilder &m, Value *y, Value *x);

Value *sinh(MathBuilder &m, Value *x);
Value *cosh(MathBuilder &m, Value *x);
Value *tanh(MathBuilder &m, Value *x);
Value *asinh(MathBuilder &m, Value *x);
Value *acosh(MathBuilder &m, Value *x);
Value *atanh(MathBuilder &m, Value *x);

Value *rsqrtPrecise(MathBuilder &m, Value *x);
Value *rsqrtFast(MathBuilder &m, Value *x);
Value *fmodPrecise(MathBuilder &m, Value *x, Value *y);
Value *fmodFast(MathBuilder &m, Value *x, Value *y);

} // namespace bessemer::codegen::math

#endif // BESSEMER_CODEGEN_COMMON_MATH_MATHBUILDER_H
