//===- Evaluate.cpp - Operations without memory or control ----------------===//
#include "codegen/interp/Evaluate.h"
#include "codegen/interp/Pointer.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

static std::optional<Leaves> binary(const Operator &operation,
                                    Operands operands) {
  Type *type = operation.getType()->getScalarType();
  Leaves result;
  for (unsigned i = 0; i < operands[0]->size(); ++i) {
    std::optional<Bits> leaf = evaluateBinary(
        operation.getOpcode(), type, (*operands[0])[i], (*operands[1])[i]);
    if (!leaf)
      return std::nullopt;
    result.push_back(std::move(*leaf));
  }
  return result;
}

static std::optional<Leaves> conversion(const Operator &operation,
                                        Operands operands) {
  Type *from = operation.getOperand(0)->getType();
  Type *to = operation.getType();
  if (operation.getOpcode() == Instruction::BitCast)
    return evaluateBitCast(*operands[0], from, to);
  Leaves result;
  for (const Bits &bits : *operands[0]) {
    std::optional<Bits> leaf =
        evaluateCast(operation.getOpcode(), bits, from->getScalarType(),
                     to->getScalarType());
    if (!leaf)
      return std::nullopt;
    result.push_back(std::move(*leaf));
  }
  return result;
}

static Leaves negateFloats(const Leaves &operand) {
  Leaves result = operand;
  for (Bits &bits : result)
    bits.flipBit(bits.getBitWidth() - 1);
  return result;
}

static Leaves compare(const CmpInst &comparison, Operands operands) {
  Type *type = comparison.getOperand(0)->getType()->getScalarType();
  auto leaf = [&](const Bits &left, const Bits &right) {
    if (type->isFloatingPointTy())
      return compareFloats(comparison.getPredicate(), toFloat(left, type),
                           toFloat(right, type));
    if (type->isPointerTy()) // Tags are no part of an address.
      return compareIntegers(comparison.getPredicate(),
                             Bits(64, addressOf(left.getZExtValue())),
                             Bits(64, addressOf(right.getZExtValue())));
    return compareIntegers(comparison.getPredicate(), left, right);
  };
  Leaves result;
  for (unsigned i = 0; i < operands[0]->size(); ++i)
    result.push_back(toBits(leaf((*operands[0])[i], (*operands[1])[i])));
  return result;
}

static Leaves choose(const Operator &operation, Operands operands) {
  const Leaves &condition = *operands[0];
  if (!operation.getOperand(0)->getType()->isVectorTy())
    return condition[0].isZero() ? *operands[2] : *operands[1];
  Leaves result;
  for (unsigned i = 0; i < condition.size(); ++i)
    result.push_back((*operands[condition[i].isZero() ? 2 : 1])[i]);
  return result;
}

static Leaves shuffle(const ShuffleVectorInst &instruction, Operands operands) {
  unsigned width = operands[0]->size();
  Type *element = instruction.getType()->getElementType();
  Leaves result;
  for (int index : instruction.getShuffleMask())
    result.push_back(index < 0                 ? Bits(leafWidth(element), 0)
                     : unsigned(index) < width ? (*operands[0])[index]
                                               : (*operands[1])[index - width]);
  return result;
}

static Leaves insertElement(Operands operands) {
  Leaves result = *operands[0];
  uint64_t index = operands[2]->front().getLimitedValue();
  if (index < result.size()) // Out of range is poison: any value will do.
    result[index] = operands[1]->front();
  return result;
}

static Leaves extractElement(Operands operands) {
  uint64_t index = operands[1]->front().getLimitedValue();
  const Leaves &vector = *operands[0];
  return {index < vector.size() ? vector[index]
                                : Bits(vector[0].getBitWidth(), 0)};
}

static Leaves insertMember(const InsertValueInst &instruction,
                           Operands operands) {
  Leaves result = *operands[0];
  unsigned leaf = leafIndex(instruction.getType(), instruction.getIndices());
  for (const Bits &bits : *operands[1])
    result[leaf++] = bits;
  return result;
}

static Leaves extractMember(const ExtractValueInst &instruction,
                            Operands operands) {
  unsigned first = leafIndex(instruction.getAggregateOperand()->getType(),
                             instruction.getIndices());
  auto begin = operands[0]->begin() + first;
  return Leaves(begin, begin + leafCount(instruction.getType()));
}

std::optional<Leaves> interp::evaluate(const Operator &operation,
                                       Operands operands,
                                       const DataLayout &layout) {
  unsigned opcode = operation.getOpcode();
  if (Instruction::isBinaryOp(opcode))
    return binary(operation, operands);
  if (Instruction::isCast(opcode))
    return conversion(operation, operands);
  switch (opcode) {
  case Instruction::FNeg:
    return negateFloats(*operands[0]);
  case Instruction::ICmp:
  case Instruction::FCmp:
    return compare(cast<CmpInst>(operation), operands);
  case Instruction::Select:
    return choose(operation, operands);
  case Instruction::Freeze:
    return *operands[0];
  case Instruction::GetElementPtr:
    return evaluateElementPointer(cast<GEPOperator>(operation), operands,
                                  layout);
  case Instruction::ShuffleVector:
    if (auto *instruction = dyn_cast<ShuffleVectorInst>(&operation))
      return shuffle(*instruction, operands);
    return std::nullopt;
  case Instruction::InsertElement:
    return insertElement(operands);
  case Instruction::ExtractElement:
    return extractElement(operands);
  case Instruction::InsertValue:
    return insertMember(cast<InsertValueInst>(operation), operands);
  case Instruction::ExtractValue:
    return extractMember(cast<ExtractValueInst>(operation), operands);
  default:
    return std::nullopt;
  }
}
