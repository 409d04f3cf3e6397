//===- Rematerialise.cpp - Values cheaper computed again ------------------===//

#include "codegen/cpu/2_regions/Rematerialise.h"

#include "codegen/common/Intrinsics.h"
#include "codegen/cpu/Region.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

// Fragment addresses of simdgroup matrices are this deep; spilled, they would
// become gathers.
constexpr unsigned deepest = 24;

bool isDivision(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return !isa<Constant>(instruction.getOperand(1));
  case Instruction::FDiv:
  case Instruction::FRem:
    return true;
  default:
    return false;
  }
}

} // namespace

bool Rematerialiser::isCheapInstruction(const Instruction &instruction) const {
  if (isa<MinMaxIntrinsic>(instruction))
    return true;
  if (const auto *call = dyn_cast<CallInst>(&instruction)) {
    const Function *callee = call->getCalledFunction();
    return callee && (callee->getName() == privateIntrinsic ||
                      intrinsicInfo(intrinsicOf(*callee)).family ==
                          IntrinsicFamily::Attribute);
  }
  if (isa<LoadInst>(instruction))
    return instruction.hasMetadata(LLVMContext::MD_invariant_load) &&
           uniformity.isUniform(&instruction);
  if (isDivision(instruction))
    return uniformity.isUniform(&instruction) &&
           instruction.getType()->isIntegerTy();
  return isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst>(instruction);
}

bool Rematerialiser::isCheap(Value *value, unsigned depth) {
  if (isa<Constant, llvm::Argument>(value))
    return true;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth > deepest || !isCheapInstruction(*instruction))
    return false;
  if (auto it = known.find(value); it != known.end())
    return it->second;
  auto *call = dyn_cast<CallInst>(instruction);
  bool cheap =
      all_of(call ? call->args() : instruction->operands(),
             [&](Value *operand) { return isCheap(operand, depth + 1); });
  known[value] = cheap;
  return cheap;
}

Value *copyTree(Value *value, IRBuilder<> &builder,
                DenseMap<Value *, Value *> &copies) {
  if (Value *copy = copies.lookup(value))
    return copy;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return value;
  Instruction *copy = instruction->clone();
  for (unsigned i = 0; i < copy->getNumOperands(); ++i)
    copy->setOperand(i, copyTree(instruction->getOperand(i), builder, copies));
  builder.Insert(copy);
  copies[value] = copy;
  return copy;
}

} // namespace bessemer::codegen::cpu
