//===- Casts.cpp - Conversions between scalar types -----------------------===//
#include "codegen/interp/Evaluate.h"
#include "codegen/interp/Pointer.h"

using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

Bits interp::floatToInteger(const APFloat &value, unsigned width,
                            bool isSigned) {
  if (value.isNaN())
    return Bits(width, 0);
  // convertToInteger clamps to the nearest bound when it is out of range.
  APSInt integer(width, /*isUnsigned=*/!isSigned);
  bool isExact;
  value.convertToInteger(integer, APFloat::rmTowardZero, &isExact);
  return integer;
}

static Bits integerToFloat(const Bits &bits, Type *to, bool isSigned) {
  APFloat value(to->getFltSemantics());
  value.convertFromAPInt(bits, isSigned, APFloat::rmNearestTiesToEven);
  return toBits(value);
}

std::optional<Bits> interp::evaluateCast(unsigned opcode, const Bits &bits,
                                         Type *from, Type *to) {
  unsigned width = leafWidth(to);
  switch (opcode) {
  case Instruction::Trunc:
    return bits.trunc(width);
  case Instruction::ZExt:
    return bits.zext(width);
  case Instruction::SExt:
    return bits.sext(width);
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return roundToBits(toFloat(bits, from), to);
  case Instruction::FPToUI:
    return floatToInteger(toFloat(bits, from), width, /*isSigned=*/false);
  case Instruction::FPToSI:
    return floatToInteger(toFloat(bits, from), width, /*isSigned=*/true);
  case Instruction::UIToFP:
    return integerToFloat(bits, to, /*isSigned=*/false);
  case Instruction::SIToFP:
    return integerToFloat(bits, to, /*isSigned=*/true);
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
    return Bits(64, addressOf(bits.getZExtValue())).zextOrTrunc(width);
  case Instruction::IntToPtr:
    return bits.zextOrTrunc(64);
  case Instruction::AddrSpaceCast:
    return bits;
  default:
    return std::nullopt;
  }
}

Leaves interp::evaluateBitCast(const Leaves &value, Type *from, Type *to) {
  unsigned fromWidth = leafWidth(from->getScalarType());
  unsigned toWidth = leafWidth(to->getScalarType());
  if (fromWidth == toWidth)
    return value;
  Bits all(fromWidth * value.size(), 0);
  for (unsigned i = 0; i < value.size(); ++i)
    all.insertBits(value[i], i * fromWidth);
  Leaves result;
  for (unsigned i = 0; i < leafCount(to); ++i)
    result.push_back(all.extractBits(toWidth, i * toWidth));
  return result;
}
