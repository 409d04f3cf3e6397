//===- Arithmetic.cpp - Scalar arithmetic and comparison ------------------===//
#include "codegen/interp/Evaluate.h"

using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

static Bits divideSigned(const Bits &left, const Bits &right) {
  if (right.isZero())
    return Bits(left.getBitWidth(), 0);
  return left.sdiv(right); // MIN / -1 wraps to MIN in APInt.
}

static Bits remainderSigned(const Bits &left, const Bits &right) {
  if (right.isZero() || right.isAllOnes())
    return Bits(left.getBitWidth(), 0);
  return left.srem(right);
}

/// Shift counts are taken modulo the width, as Metal has them.
static unsigned shiftCount(const Bits &count) {
  return count.urem(uint64_t(count.getBitWidth()));
}

static std::optional<Bits> integerBinary(unsigned opcode, const Bits &left,
                                         const Bits &right) {
  bool byZero = right.isZero();
  switch (opcode) {
  case Instruction::Add:
    return left + right;
  case Instruction::Sub:
    return left - right;
  case Instruction::Mul:
    return left * right;
  case Instruction::UDiv:
    return byZero ? right : left.udiv(right);
  case Instruction::URem:
    return byZero ? right : left.urem(right);
  case Instruction::SDiv:
    return divideSigned(left, right);
  case Instruction::SRem:
    return remainderSigned(left, right);
  case Instruction::Shl:
    return left.shl(shiftCount(right));
  case Instruction::LShr:
    return left.lshr(shiftCount(right));
  case Instruction::AShr:
    return left.ashr(shiftCount(right));
  case Instruction::And:
    return left & right;
  case Instruction::Or:
    return left | right;
  case Instruction::Xor:
    return left ^ right;
  default:
    return std::nullopt;
  }
}

static std::optional<Bits> floatBinary(unsigned opcode, APFloat left,
                                       const APFloat &right) {
  constexpr auto nearest = APFloat::rmNearestTiesToEven;
  switch (opcode) {
  case Instruction::FAdd:
    left.add(right, nearest);
    break;
  case Instruction::FSub:
    left.subtract(right, nearest);
    break;
  case Instruction::FMul:
    left.multiply(right, nearest);
    break;
  case Instruction::FDiv:
    left.divide(right, nearest);
    break;
  case Instruction::FRem:
    left.mod(right);
    break;
  default:
    return std::nullopt;
  }
  return toBits(left);
}

std::optional<Bits> interp::evaluateBinary(unsigned opcode, Type *type,
                                           const Bits &left,
                                           const Bits &right) {
  if (type->isFloatingPointTy())
    return floatBinary(opcode, toFloat(left, type), toFloat(right, type));
  return integerBinary(opcode, left, right);
}

bool interp::compareIntegers(CmpInst::Predicate predicate, const Bits &left,
                             const Bits &right) {
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return left == right;
  case CmpInst::ICMP_NE:
    return left != right;
  case CmpInst::ICMP_UGT:
    return left.ugt(right);
  case CmpInst::ICMP_UGE:
    return left.uge(right);
  case CmpInst::ICMP_ULT:
    return left.ult(right);
  case CmpInst::ICMP_ULE:
    return left.ule(right);
  case CmpInst::ICMP_SGT:
    return left.sgt(right);
  case CmpInst::ICMP_SGE:
    return left.sge(right);
  case CmpInst::ICMP_SLT:
    return left.slt(right);
  default:
    return left.sle(right);
  }
}

bool interp::compareFloats(CmpInst::Predicate predicate, const APFloat &left,
                           const APFloat &right) {
  // An FCMP predicate is a set of the four possible outcomes: bit 0 equal,
  // bit 1 greater, bit 2 less, bit 3 unordered.
  unsigned outcome = 0;
  switch (left.compare(right)) {
  case APFloat::cmpEqual:
    outcome = 1;
    break;
  case APFloat::cmpGreaterThan:
    outcome = 2;
    break;
  case APFloat::cmpLessThan:
    outcome = 4;
    break;
  case APFloat::cmpUnordered:
    outcome = 8;
    break;
  }
  static_assert(CmpInst::FCMP_OEQ == 1 && CmpInst::FCMP_OGT == 2 &&
                CmpInst::FCMP_OLT == 4 && CmpInst::FCMP_UNO == 8);
  return (unsigned(predicate) & outcome) != 0;
}
