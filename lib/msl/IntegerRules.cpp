//===- IntegerRules.cpp - Integer operations without undefined values -----===//
#include "msl/KernelIR.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace bessemer;

/// x / 0 = 0, x % 0 = 0: divides by one instead where the divisor is zero, and
/// selects. A constant divisor needs nothing.
static void makeDivisionTotal(llvm::BinaryOperator &division) {
  llvm::Value *dividend = division.getOperand(0);
  llvm::Value *divisor = division.getOperand(1);
  llvm::Type *type = division.getType();
  bool isSigned = division.getOpcode() == llvm::Instruction::SDiv ||
                  division.getOpcode() == llvm::Instruction::SRem;
  bool isRemainder = division.getOpcode() == llvm::Instruction::URem ||
                     division.getOpcode() == llvm::Instruction::SRem;
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(divisor))
    if (!constant->isZero() && !(isSigned && constant->isMinusOne()))
      return;
  llvm::IRBuilder<> builder(&division);
  llvm::Constant *zero = llvm::Constant::getNullValue(type);
  llvm::Value *isZero = builder.CreateICmpEQ(divisor, zero);
  llvm::Value *unsafe = isZero;
  llvm::Value *overflows = nullptr;
  if (isSigned) {
    unsigned width = type->getScalarSizeInBits();
    llvm::Constant *least =
        llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(width));
    overflows = builder.CreateAnd(
        builder.CreateICmpEQ(dividend, least),
        builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)));
    unsafe = builder.CreateOr(isZero, overflows);
  }
  // With divisor 1 an overflowing quotient is the dividend, INT_MIN, and an
  // overflowing remainder 0, as promised.
  division.setOperand(1, builder.CreateSelect(
                             unsafe, llvm::ConstantInt::get(type, 1), divisor));
  if (isRemainder)
    return; // x % 1 = 0 in every case.
  builder.SetInsertPoint(division.getNextNode());
  llvm::Value *result = builder.CreateSelect(isZero, zero, &division);
  division.replaceUsesWithIf(
      result, [&](llvm::Use &use) { return use.getUser() != result; });
}

/// A shift counts modulo the width.
static void maskShift(llvm::BinaryOperator &shift) {
  llvm::Type *type = shift.getType();
  unsigned mask = type->getScalarSizeInBits() - 1;
  llvm::Value *count = shift.getOperand(1);
  // What the front end masked (IntegerOperands.h) is below it as well.
  if (auto *masked = llvm::dyn_cast<llvm::BinaryOperator>(count);
      masked && masked->getOpcode() == llvm::Instruction::And)
    count = masked->getOperand(1);
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(count))
    if (constant->getValue().ule(mask))
      return;
  llvm::IRBuilder<> builder(&shift);
  if (!llvm::isPowerOf2_32(mask + 1)) // _BitInt
    shift.setOperand(
        1, builder.CreateURem(shift.getOperand(1),
                              llvm::ConstantInt::get(type, mask + 1)));
  else
    shift.setOperand(1, builder.CreateAnd(shift.getOperand(1),
                                          llvm::ConstantInt::get(type, mask)));
}

/// Null unless `value` is an integer, or a vector of them, with poison.
static llvm::Constant *withoutPoison(llvm::Value *value) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant || !constant->getType()->isIntOrIntVectorTy())
    return nullptr;
  llvm::Constant *zero =
      llvm::Constant::getNullValue(constant->getType()->getScalarType());
  if (llvm::isa<llvm::PoisonValue>(constant))
    return llvm::Constant::getNullValue(constant->getType());
  if (!constant->containsPoisonElement())
    return nullptr;
  llvm::SmallVector<llvm::Constant *> elements;
  auto *type = llvm::cast<llvm::FixedVectorType>(constant->getType());
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    llvm::Constant *element = constant->getAggregateElement(i);
    elements.push_back(llvm::isa<llvm::PoisonValue>(element) ? zero : element);
  }
  return llvm::ConstantVector::get(elements);
}

/// Clang folds operations on constants as it emits them: 1 / 0 is poison here.
static void replacePoison(llvm::Instruction &instruction) {
  for (llvm::Use &operand : instruction.operands()) {
    // A vector that is about to be filled.
    bool isFilled = llvm::isa<llvm::InsertElementInst>(instruction)
                        ? operand.getOperandNo() == 0
                        : llvm::isa<llvm::ShuffleVectorInst>(instruction);
    if (!isFilled)
      if (llvm::Constant *defined = withoutPoison(operand))
        operand.set(defined);
  }
}

void msl::makeIntegersTotal(llvm::Module &module) {
  llvm::SmallVector<llvm::BinaryOperator *> operations;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      replacePoison(instruction);
      if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
        if (operation->isIntDivRem() || operation->isShift())
          operations.push_back(operation);
    }
  for (llvm::BinaryOperator *operation : operations)
    if (operation->isShift())
      maskShift(*operation);
    else
      makeDivisionTotal(*operation);
}
