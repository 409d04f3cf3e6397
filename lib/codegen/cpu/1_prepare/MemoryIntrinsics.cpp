//===- MemoryIntrinsics.cpp - Block copies as loads and stores ------------===//
//
// A lane's block copy has no vector form, and kernels may not call memcpy.
// What SROA leaves becomes straight-line accesses of the alignment's size, or
// a loop if it is long or of unknown length.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/1_prepare/Prepare.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

constexpr uint64_t longestStraight = 64; ///< Accesses.

class Expansion {
public:
  explicit Expansion(MemIntrinsic &intrinsic)
      : intrinsic(intrinsic), transfer(dyn_cast<MemTransferInst>(&intrinsic)),
        length(dyn_cast<ConstantInt>(intrinsic.getLength())) {
    Align align = intrinsic.getDestAlign().valueOrOne();
    if (transfer)
      align = std::min(align, transfer->getSourceAlign().valueOrOne());
    size = length ? std::min<uint64_t>(4, align.value()) : 1;
    while (length && length->getZExtValue() % size)
      size /= 2;
    type = IntegerType::get(intrinsic.getContext(), size * 8);
  }

  void run() {
    if (length && length->getZExtValue() / size <= longestStraight)
      straight(length->getZExtValue() / size);
    else
      loops();
    intrinsic.eraseFromParent();
  }

private:
  Value *load(IRBuilder<> &builder, Value *index) {
    return builder.CreateAlignedLoad(
        type, builder.CreateGEP(type, transfer->getRawSource(), index),
        Align(size), intrinsic.isVolatile());
  }
  void store(IRBuilder<> &builder, Value *value, Value *index) {
    builder.CreateAlignedStore(
        value, builder.CreateGEP(type, intrinsic.getRawDest(), index),
        Align(size), intrinsic.isVolatile());
  }
  Value *pattern(IRBuilder<> &builder) {
    Value *byte = cast<MemSetInst>(intrinsic).getValue();
    if (size == 1)
      return byte;
    APInt ones = APInt::getSplat(size * 8, APInt(8, 1));
    return builder.CreateMul(builder.CreateZExt(byte, type),
                             ConstantInt::get(type, ones));
  }

  void straight(uint64_t count);
  void loops();
  void loop(Instruction *before, Value *count, bool downwards);

  MemIntrinsic &intrinsic;
  MemTransferInst *transfer;
  ConstantInt *length;
  uint64_t size;
  Type *type;
};

// All loads before all stores, so that overlap is harmless.
void Expansion::straight(uint64_t count) {
  IRBuilder<> builder(&intrinsic);
  SmallVector<Value *> values;
  for (uint64_t i = 0; i < count; ++i)
    values.push_back(transfer ? load(builder, builder.getInt64(i))
                              : pattern(builder));
  for (uint64_t i = 0; i < count; ++i)
    store(builder, values[i], builder.getInt64(i));
}

void Expansion::loops() {
  IRBuilder<> builder(&intrinsic);
  Value *count = length ? builder.getInt64(length->getZExtValue() / size)
                        : builder.CreateZExtOrTrunc(intrinsic.getLength(),
                                                    builder.getInt64Ty());
  if (!isa<MemMoveInst>(intrinsic))
    return loop(&intrinsic, count, false);
  Value *downwards =
      builder.CreateICmpULT(transfer->getRawSource(), transfer->getRawDest());
  Instruction *then, *otherwise;
  SplitBlockAndInsertIfThenElse(downwards, &intrinsic, &then, &otherwise);
  loop(then, count, true);
  loop(otherwise, count, false);
}

void Expansion::loop(Instruction *before, Value *count, bool downwards) {
  IRBuilder<> builder(before);
  Value *any = builder.CreateICmpNE(count, builder.getInt64(0));
  Instruction *body = SplitBlockAndInsertIfThen(any, before, false);
  BasicBlock *preheader = body->getParent()->getSinglePredecessor();
  BasicBlock *block = body->getParent();
  BasicBlock *after = block->getSingleSuccessor();
  builder.SetInsertPoint(body);
  PHINode *step = builder.CreatePHI(builder.getInt64Ty(), 2);
  Value *next = builder.CreateNUWAdd(step, builder.getInt64(1));
  Value *index = downwards ? builder.CreateSub(count, next) : step;
  store(builder, transfer ? load(builder, index) : pattern(builder), index);
  step->addIncoming(builder.getInt64(0), preheader);
  step->addIncoming(next, block);
  builder.CreateCondBr(builder.CreateICmpULT(next, count), block, after);
  body->eraseFromParent();
}

} // namespace

void expandMemoryIntrinsics(Function &region) {
  SmallVector<MemIntrinsic *> intrinsics;
  for (Instruction &instruction : instructions(region))
    if (auto *intrinsic = dyn_cast<MemIntrinsic>(&instruction))
      intrinsics.push_back(intrinsic);
  for (MemIntrinsic *intrinsic : intrinsics)
    Expansion(*intrinsic).run();
}

} // namespace bessemer::codegen::cpu
