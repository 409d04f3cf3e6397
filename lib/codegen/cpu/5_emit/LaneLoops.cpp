//===- LaneLoops.cpp - One lane after another -----------------------------===//

#include "codegen/cpu/5_emit/Emitter.h"

#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

/// Memory in which a loop finds the elements of vectors, its `number`-th; the
/// same for all loops, as they do not stand in each other.
Value *Emitter::laneMemory(Type *element, unsigned count, unsigned number) {
  auto *type = ArrayType::get(element, count);
  AllocaInst *&memory = laneMemories[{type, number}];
  if (!memory)
    memory = scratch(type, Align(32), "lanes");
  return memory;
}

void Emitter::storeLanes(Value *vector, Value *memory, uint64_t first) {
  Type *element = vector->getType()->getScalarType();
  b.CreateAlignedStore(vector, b.CreateConstGEP1_64(element, memory, first),
                       layout.getABITypeAlign(element));
}

/// A copy of a vector in memory; null for what has no elements or none of
/// whole bytes.
Value *Emitter::inMemory(Value *value, unsigned number) {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  if (!type || type->getElementType()->isIntegerTy(1))
    return nullptr;
  Value *place = laneMemory(type->getElementType(), lanes, number);
  storeLanes(value, place, 0);
  return place;
}

/// Calls `each` with the number of every bit that is set, in a loop.
void Emitter::forEachBit(Value *bits, function_ref<void(Value *)> each) {
  Block *head = newBlock("lane.head"), *start = newBlock("lane"),
        *done = newBlock("lane.done");
  Value *left = slot(b.getInt64Ty());
  b.CreateStore(b.CreateZExt(bits, b.getInt64Ty()), left);
  b.CreateBr(head);
  b.SetInsertPoint(head);
  Value *set = load(left);
  b.CreateCondBr(b.CreateICmpEQ(set, b.getInt64(0)), done, start);
  b.SetInsertPoint(start);
  each(b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, set, b.getTrue()));
  b.CreateStore(b.CreateAnd(set, b.CreateSub(set, b.getInt64(1))), left);
  b.CreateBr(head);
  b.SetInsertPoint(done);
}

/// Calls `function` in a loop over the active lanes of a part, with their
/// elements of `vectors` (scalars among them are passed as they are). Gives the
/// results as a vector, or a struct of vectors; null if `result` is void.
Value *Emitter::forEachLane(unsigned part, Scalars vectors, Type *result,
                            LaneFunction function) {
  AllocaInst *collected = result->isVoidTy() ? nullptr : slot(vectorOf(result));
  if (collected)
    b.CreateStore(PoisonValue::get(vectorOf(result)), collected);
  SmallVector<Value *, 4> places;
  for (auto [number, value] : enumerate(vectors))
    places.push_back(inMemory(value, number));
  forEachBit(laneBits(maskOf(part)), [&](Value *lane) {
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
    if (collected)
      b.CreateStore(insertLane(load(collected), element, lane), collected);
  });
  return collected ? load(collected) : nullptr;
}

/// `vector`, or each field of a structure of them, with one lane replaced.
Value *Emitter::insertLane(Value *vector, Value *element, Value *lane) {
  auto *structure = dyn_cast<StructType>(vector->getType());
  if (!structure)
    return b.CreateInsertElement(vector, element, lane);
  for (unsigned i = 0; i < structure->getNumElements(); ++i) {
    Value *field =
        b.CreateInsertElement(b.CreateExtractValue(vector, i),
                              b.CreateExtractValue(element, i), lane);
    vector = b.CreateInsertValue(vector, field, i);
  }
  return vector;
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
