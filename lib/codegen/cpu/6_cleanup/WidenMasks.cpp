//===- WidenMasks.cpp - Lane masks between blocks -------------------------===//

#include "codegen/cpu/6_cleanup/WidenMasks.h"

#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

bool isMask(const Value &value) {
  auto *type = dyn_cast<FixedVectorType>(value.getType());
  return type && type->getElementType()->isIntegerTy(1);
}

bool crossesBlocks(const Instruction &mask) {
  return isa<PHINode>(mask) || any_of(mask.users(), [&](const User *user) {
           auto *instruction = cast<Instruction>(user);
           return isa<PHINode>(instruction) ||
                  instruction->getParent() != mask.getParent();
         });
}

class Widener {
public:
  explicit Widener(Function &function)
      : function(function), b(function.getContext()) {}
  void run(const TargetLowering &lowering);

private:
  Value *wide(Value *mask);
  Value *narrowIn(Instruction &mask, BasicBlock &block);
  void rewriteUses(Instruction &mask);

  Type *wideType(const Value &mask) {
    return mask.getType()->getWithNewType(b.getInt32Ty());
  }

  Function &function;
  IRBuilder<> b;
  DenseMap<Value *, Value *> wides;
  DenseMap<std::pair<Value *, BasicBlock *>, Value *> narrowed;
};

/// The wide form of a mask that crosses blocks, or of a constant.
Value *Widener::wide(Value *mask) {
  if (auto *constant = dyn_cast<Constant>(mask))
    return b.CreateSExt(constant, wideType(*mask));
  return wides.lookup(mask);
}

/// The mask again, in a block that uses it.
Value *Widener::narrowIn(Instruction &mask, BasicBlock &block) {
  Value *&result = narrowed[{&mask, &block}];
  if (result)
    return result;
  b.SetInsertPoint(&block, block.getFirstInsertionPt());
  Value *words = wides.lookup(&mask);
  return result =
             b.CreateICmpSLT(words, Constant::getNullValue(words->getType()));
}

void Widener::rewriteUses(Instruction &mask) {
  for (Use &use : make_early_inc_range(mask.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (user == wides.lookup(&mask) || isa<PHINode>(user))
      continue; // a phi of masks is replaced as a whole
    if (isa<PHINode>(mask) || user->getParent() != mask.getParent())
      use.set(narrowIn(mask, *user->getParent()));
  }
}

void Widener::run(const TargetLowering &lowering) {
  SmallVector<Instruction *> masks;
  for (Instruction &instruction : instructions(function))
    if (isMask(instruction) && crossesBlocks(instruction) &&
        !lowering.isTypeLegal(lowering.getValueType(function.getDataLayout(),
                                                    instruction.getType())))
      masks.push_back(&instruction);
  for (Instruction *mask : masks) {
    auto *phi = dyn_cast<PHINode>(mask);
    b.SetInsertPoint(phi ? phi->getIterator()
                         : *mask->getInsertionPointAfterDef());
    wides[mask] =
        phi ? b.CreatePHI(wideType(*mask), phi->getNumIncomingValues())
            : b.CreateSExt(mask, wideType(*mask));
  }
  for (Instruction *mask : masks) {
    auto *phi = dyn_cast<PHINode>(mask);
    for (unsigned i = 0; phi && i < phi->getNumIncomingValues(); ++i)
      cast<PHINode>(wides[mask])
          ->addIncoming(wide(phi->getIncomingValue(i)),
                        phi->getIncomingBlock(i));
    rewriteUses(*mask);
  }
  for (Instruction *mask : masks)
    if (isa<PHINode>(mask))
      mask->replaceAllUsesWith(PoisonValue::get(mask->getType()));
  for (Instruction *mask : masks)
    if (isa<PHINode>(mask))
      mask->eraseFromParent();
}

} // namespace

void widenMasks(Function &function, TargetMachine &target) {
  Widener(function).run(
      *target.getSubtargetImpl(function)->getTargetLowering());
}

} // namespace bessemer::codegen::cpu
