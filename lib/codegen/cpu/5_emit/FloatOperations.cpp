//===- FloatOperations.cpp - half, bfloat and fma without helpers ---------===//

#include "codegen/cpu/5_emit/FloatOperations.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

FloatOperations::FloatOperations(IRBuilderBase &builder,
                                 const MCSubtargetInfo &target)
    : b(builder), nativeHalf(false), nativeFma(false) {
  if (target.getTargetTriple().isX86()) {
    nativeHalf = target.checkFeatures("+f16c");
    nativeFma = target.checkFeatures("+fma");
  } else { // AArch64 has both in its base
    nativeHalf = nativeFma = target.getTargetTriple().isAArch64();
  }
}

Type *FloatOperations::like(Value *shape, Type *element) const {
  if (auto *vector = dyn_cast<VectorType>(shape->getType()))
    return VectorType::get(element, vector->getElementCount());
  return element;
}

Value *FloatOperations::integer(Value *shape, uint64_t value) {
  return ConstantInt::get(shape->getType(), value);
}

Value *FloatOperations::bits(Value *value) {
  unsigned width = value->getType()->getScalarSizeInBits();
  return b.CreateBitCast(value, like(value, b.getIntNTy(width)));
}

Type *FloatOperations::represent(Type *type) const {
  Type *element = type->getScalarType();
  bool held = element->isBFloatTy() || (element->isHalfTy() && !nativeHalf);
  return held ? type->getWithNewType(b.getInt16Ty()) : type;
}

Constant *FloatOperations::represent(Constant *constant) const {
  Type *type = represent(constant->getType());
  if (type == constant->getType())
    return constant;
  if (isa<PoisonValue>(constant))
    return PoisonValue::get(type);
  if (isa<UndefValue>(constant))
    return UndefValue::get(type);
  return ConstantInt::get(
      type, cast<ConstantFP>(constant)->getValueAPF().bitcastToAPInt());
}

Value *FloatOperations::widen(Value *value, Type *type) {
  Type *element = type->getScalarType();
  if (element->isBFloatTy())
    return bfloatToFloat(value);
  if (!element->isHalfTy())
    return value;
  return nativeHalf ? b.CreateFPExt(value, like(value, b.getFloatTy()))
                    : halfToFloat(value);
}

Value *FloatOperations::narrow(Value *value, Type *type) {
  IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  if (value->getType()->getScalarType()->isDoubleTy())
    value = doubleToFloatOdd(value);
  if (type->getScalarType()->isBFloatTy())
    return floatToBfloat(value);
  return nativeHalf ? b.CreateFPTrunc(value, like(value, b.getHalfTy()))
                    : floatToHalf(value);
}

Value *FloatOperations::extend(Value *value, Type *type, Type *to) {
  value = widen(value, type);
  Type *target = like(value, to->getScalarType());
  return value->getType() == target ? value : b.CreateFPExt(value, target);
}

/// What double cannot hold of a 64-bit integer, as one odd bit: a later
/// rounding to fewer bits sees that there was something.
static Value *fitDouble(IRBuilderBase &b, Value *value, bool isSigned) {
  auto constant = [&](uint64_t number) {
    return ConstantInt::get(value->getType(), number);
  };
  Value *low = b.CreateAnd(value, constant(0x7ff));
  Value *odd = b.CreateSelect(b.CreateICmpEQ(low, constant(0)), constant(0),
                              constant(0x800));
  Value *high = b.CreateOr(b.CreateXor(value, low), odd);
  const uint64_t end = uint64_t(1) << 53;
  Value *fits = isSigned ? b.CreateICmpULT(b.CreateAdd(value, constant(end)),
                                           constant(2 * end))
                         : b.CreateICmpULT(value, constant(end));
  return b.CreateSelect(fits, value, high);
}

/// Through double (exact for 32 bits) where float would round a first time.
Value *FloatOperations::fromInteger(Value *value, bool isSigned, Type *type) {
  auto convert = [&](Type *to) {
    to = like(value, to);
    return isSigned ? b.CreateSIToFP(value, to) : b.CreateUIToFP(value, to);
  };
  if (!isNarrow(type))
    return convert(type->getScalarType());
  unsigned width = value->getType()->getScalarSizeInBits();
  // What float rounds is beyond half's range anyway.
  bool direct = width <= 24 || type->getScalarType()->isHalfTy();
  if (!direct && width == 64)
    value = fitDouble(b, value, isSigned);
  return narrow(convert(direct ? b.getFloatTy() : b.getDoubleTy()), type);
}

Value *FloatOperations::halfToFloat(Value *value) {
  Value *half = b.CreateZExt(bits(value), like(value, b.getInt32Ty()));
  Type *floatType = like(value, b.getFloatTy());
  Value *magnitude = b.CreateAnd(half, integer(half, 0x7fff));
  Value *sign = b.CreateShl(b.CreateXor(half, magnitude), integer(half, 16));
  Value *shifted = b.CreateShl(magnitude, integer(half, 13));
  Value *normal = b.CreateAdd(shifted, integer(half, 112u << 23));
  Value *special = b.CreateOr(shifted, integer(half, 0x7f800000));
  Value *denormal = b.CreateFMul(b.CreateUIToFP(magnitude, floatType),
                                 ConstantFP::get(floatType, 0x1p-24));
  Value *result = b.CreateSelect(
      b.CreateICmpULT(magnitude, integer(half, 0x400)), bits(denormal), normal);
  result = b.CreateSelect(b.CreateICmpUGE(magnitude, integer(half, 0x7c00)),
                          special, result);
  return b.CreateBitCast(b.CreateOr(result, sign), floatType);
}

Value *FloatOperations::floatToHalf(Value *value) {
  Value *all = bits(value);
  Value *magnitude = b.CreateAnd(all, integer(all, 0x7fffffff));
  Value *sign = b.CreateLShr(b.CreateXor(all, magnitude), integer(all, 16));
  // To nearest, ties to even; the exponent moves along with a carry.
  Value *odd =
      b.CreateAnd(b.CreateLShr(magnitude, integer(all, 13)), integer(all, 1));
  Value *normal = b.CreateLShr(
      b.CreateAdd(b.CreateAdd(magnitude, odd),
                  integer(all, static_cast<uint32_t>(0xfff - (112 << 23)))),
      integer(all, 13));
  // In a sum with 0.5 the addition rounds to half's smallest step.
  Value *sum = b.CreateFAdd(b.CreateBitCast(magnitude, value->getType()),
                            ConstantFP::get(value->getType(), 0.5));
  Value *denormal = b.CreateSub(bits(sum), integer(all, 0x3f000000));
  Value *payload = b.CreateAnd(b.CreateLShr(magnitude, integer(all, 13)),
                               integer(all, 0x3ff));
  Value *nan = b.CreateOr(payload, integer(all, 0x7e00));
  Value *result = b.CreateSelect(
      b.CreateICmpULT(magnitude, integer(all, 0x38800000)), denormal, normal);
  result = b.CreateSelect(b.CreateICmpUGE(magnitude, integer(all, 0x477ff000)),
                          integer(all, 0x7c00), result);
  result = b.CreateSelect(b.CreateICmpUGT(magnitude, integer(all, 0x7f800000)),
                          nan, result);
  return b.CreateTrunc(b.CreateOr(result, sign), like(value, b.getInt16Ty()));
}

Value *FloatOperations::bfloatToFloat(Value *value) {
  Value *wide = b.CreateZExt(bits(value), like(value, b.getInt32Ty()));
  return b.CreateBitCast(b.CreateShl(wide, integer(wide, 16)),
                         like(value, b.getFloatTy()));
}

Value *FloatOperations::floatToBfloat(Value *value) {
  Value *all = bits(value);
  Value *odd =
      b.CreateAnd(b.CreateLShr(all, integer(all, 16)), integer(all, 1));
  Value *rounded = b.CreateAdd(b.CreateAdd(all, integer(all, 0x7fff)), odd);
  Value *nan = b.CreateOr(all, integer(all, 0x400000)); // stays a quiet NaN
  Value *result = b.CreateSelect(b.CreateFCmpUNO(value, value), nan, rounded);
  return b.CreateTrunc(b.CreateLShr(result, integer(all, 16)),
                       like(value, b.getInt16Ty()));
}

/// From a sum rounded to nearest and what the rounding lost: the neighbour
/// whose last bit is one. Rounding that again to fewer bits is exact.
Value *FloatOperations::roundToOdd(Value *rounded, Value *error) {
  Value *all = bits(rounded);
  Value *zero = ConstantFP::get(rounded->getType(), 0.0);
  Value *inexact = b.CreateFCmpONE(error, zero); // false for NaN
  Value *even =
      b.CreateICmpEQ(b.CreateAnd(all, integer(all, 1)), integer(all, 0));
  Value *sameSign =
      b.CreateICmpSGE(b.CreateXor(all, bits(error)), integer(all, 0));
  Value *step = b.CreateSelect(sameSign, integer(all, 1), integer(all, ~0ull));
  Value *moved = b.CreateAdd(all, step);
  Value *result = b.CreateSelect(b.CreateAnd(inexact, even), moved, all);
  return b.CreateBitCast(result, rounded->getType());
}

Value *FloatOperations::doubleToFloatOdd(Value *value) {
  Value *rounded = b.CreateFPTrunc(value, like(value, b.getFloatTy()));
  Value *error = b.CreateFSub(value, b.CreateFPExt(rounded, value->getType()));
  return roundToOdd(rounded,
                    b.CreateFPTrunc(error, like(value, b.getFloatTy())));
}

Value *FloatOperations::sumToOdd(Value *x, Value *y) {
  Value *sum = b.CreateFAdd(x, y);
  Value *part = b.CreateFSub(sum, x);
  Value *error = b.CreateFAdd(b.CreateFSub(x, b.CreateFSub(sum, part)),
                              b.CreateFSub(y, part));
  return roundToOdd(sum, error);
}

Value *FloatOperations::fma(Value *x, Value *y, Value *z, Type *type) {
  IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  if (!isNarrow(type) && nativeFma)
    return b.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
  // The product of two narrower numbers is exact in the wider type.
  bool half = type->getScalarType()->isHalfTy();
  Type *wide = half ? b.getFloatTy() : b.getDoubleTy();
  Value *product = b.CreateFMul(extend(x, type, wide), extend(y, type, wide));
  Value *sum = sumToOdd(product, extend(z, type, wide));
  return isNarrow(type) ? narrow(sum, type)
                        : b.CreateFPTrunc(sum, x->getType());
}

Value *FloatOperations::abs(Value *value, Type *type) {
  if (!isNarrow(type))
    return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  Value *all = bits(value);
  return b.CreateBitCast(b.CreateAnd(all, integer(all, 0x7fff)),
                         value->getType());
}

Value *FloatOperations::negate(Value *value, Type *type) {
  if (!isNarrow(type))
    return b.CreateFNeg(value);
  Value *all = bits(value);
  return b.CreateBitCast(b.CreateXor(all, integer(all, 0x8000)),
                         value->getType());
}

Value *FloatOperations::copySign(Value *magnitude, Value *sign, Type *type) {
  if (!isNarrow(type))
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude, sign);
  Value *from = bits(magnitude), *to = bits(sign);
  return b.CreateBitCast(b.CreateOr(b.CreateAnd(from, integer(from, 0x7fff)),
                                    b.CreateAnd(to, integer(to, 0x8000))),
                         magnitude->getType());
}

} // namespace bessemer::codegen::cpu
