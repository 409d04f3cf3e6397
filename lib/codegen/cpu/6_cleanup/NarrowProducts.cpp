//===- NarrowProducts.cpp - Products of 16-bit integers -------------------===//

#include "codegen/cpu/6_cleanup/NarrowProducts.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

static bool isExtendedShort(const Value *factor) {
  return isa<ZExtInst, SExtInst>(factor) &&
         cast<CastInst>(factor)->getSrcTy()->isIntOrIntVectorTy(16);
}

static void narrow(BinaryOperator &product) {
  Type *wide = product.getType();
  if (!wide->isVectorTy() || wide->getScalarSizeInBits() <= 32 ||
      !all_of(product.operands(), isExtendedShort))
    return;
  IRBuilder<> b(&product);
  auto inWords = [&](unsigned operand) {
    auto *factor = cast<CastInst>(product.getOperand(operand));
    return b.CreateCast(factor->getOpcode(), factor->getOperand(0),
                        wide->getWithNewBitWidth(32));
  };
  Value *result = b.CreateMul(inWords(0), inWords(1));
  bool isSigned = any_of(product.operands(), IsaPred<SExtInst>);
  product.replaceAllUsesWith(isSigned ? b.CreateSExt(result, wide)
                                      : b.CreateZExt(result, wide));
  RecursivelyDeleteTriviallyDeadInstructions(&product);
}

void narrowProducts(Function &function) {
  SmallVector<BinaryOperator *> products;
  for (Instruction &instruction : instructions(function))
    if (instruction.getOpcode() == Instruction::Mul)
      products.push_back(cast<BinaryOperator>(&instruction));
  for (BinaryOperator *product : products)
    narrow(*product);
}

} // namespace bessemer::codegen::cpu
