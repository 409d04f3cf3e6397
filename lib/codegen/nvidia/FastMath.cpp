//===- FastMath.cpp - Mathematical functions of the hardware --------------===//
//
// The fast class of Metal's functions (specification 8) through the special
// function unit, which flushes denormals. What it has no accurate form of uses
// the polynomials of common/math, as the precise class does.
//
//===----------------------------------------------------------------------===//
#include "codegen/common/Intrinsics.h"
#include "codegen/nvidia/Steps.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <numbers>

using namespace llvm;

namespace bessemer::codegen::nvidia {

namespace {

class FastMath {
public:
  explicit FastMath(CallInst &call) : b(&call) {}

  Value *scale(Value *x, double factor) {
    return b.CreateFMul(x, constant(factor));
  }
  Value *exp2(Value *x) {
    return b.CreateIntrinsic(llvm::Intrinsic::nvvm_ex2_approx_ftz,
                             {b.getFloatTy()}, {x});
  }
  Value *log2(Value *x) {
    return unary(llvm::Intrinsic::nvvm_lg2_approx_ftz_f, x);
  }
  Value *rsqrt(Value *x) {
    return unary(llvm::Intrinsic::nvvm_rsqrt_approx_ftz_f, x);
  }
  Value *sin(Value *x) {
    return unary(llvm::Intrinsic::nvvm_sin_approx_ftz_f, turn(x));
  }
  Value *cos(Value *x) {
    return unary(llvm::Intrinsic::nvvm_cos_approx_ftz_f, turn(x));
  }
  Value *divide(Value *x, Value *y) {
    return b.CreateIntrinsic(llvm::Intrinsic::nvvm_div_approx_ftz_f, {x, y});
  }

private:
  Constant *constant(double value) {
    return ConstantFP::get(b.getFloatTy(), value);
  }
  Value *unary(llvm::Intrinsic::ID id, Value *x) {
    return b.CreateIntrinsic(id, {x});
  }
  Value *fma(Value *x, double y, Value *z) {
    return b.CreateIntrinsic(llvm::Intrinsic::fma, {b.getFloatTy()},
                             {x, constant(y), z});
  }
  /// x less whole turns: the hardware's own reduction loses precision with the
  /// size of x.
  Value *turn(Value *x) {
    constexpr double pi = std::numbers::pi;
    Value *turns =
        b.CreateUnaryIntrinsic(llvm::Intrinsic::rint, scale(x, 0.5 / pi));
    constexpr float high = 2 * pi;
    return fma(turns, -(2 * pi - high), fma(turns, -high, x));
  }

  IRBuilder<> b;
};

} // namespace

Value *emitFastMath(Value *value) {
  auto &call = *cast<CallInst>(value);
  FastMath m(call);
  Value *x = call.getArgOperand(0);
  switch (intrinsicOf(&call)) {
  case Intrinsic::ExpFast:
    return m.exp2(m.scale(x, std::numbers::log2e));
  case Intrinsic::Exp2Fast:
    return m.exp2(x);
  case Intrinsic::Exp10Fast:
    return m.exp2(m.scale(x, std::numbers::log2e * std::numbers::ln10));
  case Intrinsic::LogFast:
    return m.scale(m.log2(x), std::numbers::ln2);
  case Intrinsic::Log2Fast:
    return m.log2(x);
  case Intrinsic::Log10Fast:
    return m.scale(m.log2(x), std::numbers::ln2 / std::numbers::ln10);
  case Intrinsic::SinFast:
    return m.sin(x);
  case Intrinsic::CosFast:
    return m.cos(x);
  case Intrinsic::TanFast:
    return m.divide(m.sin(x), m.cos(x));
  case Intrinsic::RsqrtFast:
    return m.rsqrt(x);
  default:
    return nullptr;
  }
}

} // namespace bessemer::codegen::nvidia
