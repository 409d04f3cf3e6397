//===- LaneLoops.cpp - One lane after another -----------------------------===//

#include "codegen/cpu/5_emit/Emitter.h"

#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

/// A copy of a vector in memory, where a loop finds its elements; null for what
/// has no elements or none of whole bytes.
Value *Emitter::inMemory(Value *value) {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  if (!type || type->getElementType()->isIntegerTy(1))
    return nullptr;
  Value *place = scratch(type, layout.getPrefTypeAlign(type), "lanes");
  b.CreateStore(value, place);
  return place;
}

/// Calls `function` in a loop over the active lanes of a part, with their
/// elements of `vectors` (scalars among them are passed as they are). Gives the
/// results as a vector, or a struct of vectors; null if `result` is void.
Value *Emitter::forEachLane(unsigned part, Scalars vectors, Type *result,
                            LaneFunction function) {
  Block *head = newBlock("lane.head"), *each = newBlock("lane"),
        *done = newBlock("lane.done");
  Value *left = slot(b.getInt64Ty());
  AllocaInst *collected = result->isVoidTy() ? nullptr : slot(vectorOf(result));
  if (collected)
    b.CreateStore(PoisonValue::get(vectorOf(result)), collected);
  b.CreateStore(b.CreateZExt(laneBits(maskOf(part)), b.getInt64Ty()), left);
  SmallVector<Value *, 4> places;
  for (Value *value : vectors)
    places.push_back(inMemory(value));
  b.CreateBr(head);
  b.SetInsertPoint(head);
  Value *set = load(left);
  b.CreateCondBr(b.CreateICmpEQ(set, b.getInt64(0)), done, each);
  b.SetInsertPoint(each);
  Value *lane =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, set, b.getTrue());
  SmallVector<Value *, 4> scalars;
  for (auto [value, place] : zip(vectors, places)) {
    Type *element = value->getType()->getScalarType();
    if (place)
      scalars.push_back(
          b.CreateLoad(element, b.CreateGEP(element, place, lane)));
    else
      scalars.push_back(value->getType()->isVectorTy()
                            ? b.CreateExtractElement(value, lane)
                            : value);
  }
  Value *element = function(scalars);
  if (collected) {
    Value *sofar = load(collected);
    auto *structure = dyn_cast<StructType>(result);
    if (!structure)
      sofar = b.CreateInsertElement(sofar, element, lane);
    for (unsigned i = 0; structure && i < structure->getNumElements(); ++i) {
      Value *field =
          b.CreateInsertElement(b.CreateExtractValue(sofar, i),
                                b.CreateExtractValue(element, i), lane);
      sofar = b.CreateInsertValue(sofar, field, i);
    }
    b.CreateStore(sofar, collected);
  }
  b.CreateStore(b.CreateAnd(set, b.CreateSub(set, b.getInt64(1))), left);
  b.CreateBr(head);
  b.SetInsertPoint(done);
  return collected ? load(collected) : nullptr;
}

/// The instruction itself, lane after lane, so in the order of lanes.
Value *Emitter::repeatForLanes(Instruction &instruction, unsigned part) {
  SmallVector<Value *, 4> operands;
  for (Value *operand : instruction.operands())
    operands.push_back(vector(operand, part));
  return forEachLane(part, operands, instruction.getType(),
                     [&](Scalars scalars) -> Value * {
                       Instruction *copy = instruction.clone();
                       for (unsigned i = 0; i < scalars.size(); ++i)
                         copy->setOperand(i, scalars[i]);
                       copy->mutateType(held(copy->getType()));
                       copy->dropUnknownNonDebugMetadata();
                       copy->setDebugLoc(b.getCurrentDebugLocation());
                       return b.Insert(copy);
                     });
}

/// Integer operations whose order between lanes no one can see.
static std::optional<llvm::Intrinsic::ID>
reductionOf(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Add:
    return llvm::Intrinsic::vector_reduce_add;
  case AtomicRMWInst::And:
    return llvm::Intrinsic::vector_reduce_and;
  case AtomicRMWInst::Or:
    return llvm::Intrinsic::vector_reduce_or;
  case AtomicRMWInst::Xor:
    return llvm::Intrinsic::vector_reduce_xor;
  case AtomicRMWInst::Max:
    return llvm::Intrinsic::vector_reduce_smax;
  case AtomicRMWInst::Min:
    return llvm::Intrinsic::vector_reduce_smin;
  case AtomicRMWInst::UMax:
    return llvm::Intrinsic::vector_reduce_umax;
  case AtomicRMWInst::UMin:
    return llvm::Intrinsic::vector_reduce_umin;
  default:
    return std::nullopt;
  }
}

/// An unused result at an address that all lanes share: one atomic a part, of
/// the lanes' reduction. False if `atomic` is not of this kind.
bool Emitter::emitReducedAtomic(AtomicRMWInst &atomic, unsigned from,
                                unsigned to) {
  auto reduction = reductionOf(atomic.getOperation());
  if (!reduction || !atomic.use_empty() || atomic.isVolatile() ||
      !shapes.of(atomic.getPointerOperand()).isUniform())
    return false;
  Value *identity =
      getReductionIdentity(*reduction, atomic.getType(), FastMathFlags());
  for (unsigned part = from; part < to; ++part) {
    Value *operand = vector(atomic.getValOperand(), part);
    if (!mask.empty())
      operand = b.CreateSelect(mask[part], operand, splat(identity));
    b.CreateAtomicRMW(atomic.getOperation(),
                      uniform(atomic.getPointerOperand()),
                      b.CreateUnaryIntrinsic(*reduction, operand),
                      atomic.getAlign(), atomic.getOrdering());
  }
  return true;
}

} // namespace bessemer::codegen::cpu
