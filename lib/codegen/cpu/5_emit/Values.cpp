//===- Values.cpp - A value as scalar, base or vector ---------------------===//

#include "codegen/cpu/5_emit/Emitter.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

/// The type of one lane's value in the body.
Type *Emitter::held(Type *type) const {
  return type->isVoidTy() ? type : floats->represent(type);
}

Type *Emitter::vectorOf(Type *type) const {
  auto *structure = dyn_cast<StructType>(type);
  if (!structure)
    return FixedVectorType::get(held(type), lanes);
  SmallVector<Type *, 4> elements;
  for (Type *element : structure->elements())
    elements.push_back(vectorOf(element));
  return StructType::get(type->getContext(), elements);
}

/// The one scalar of a Uniform value.
Value *Emitter::uniform(const Value *value) {
  if (auto *constant = dyn_cast<Constant>(value))
    return floats->represent(const_cast<Constant *>(constant));
  auto found = values.find(value);
  if (found != values.end() && found->second[0])
    return found->second[0];
  fail(dyn_cast<Instruction>(value), "a value that is used before it is made");
  return PoisonValue::get(held(value->getType()));
}

/// Scalar that, with the lane's offset added, is the value in a part.
Value *Emitter::base(const Value *value, unsigned part) {
  Shape shape = shapes.of(value);
  if (shape.isUniform())
    return uniform(value);
  auto found = values.find(value);
  bool single = shape.kind == Shape::ChunkLinear;
  if (found == values.end() || !found->second[single ? 0 : part]) {
    fail(dyn_cast<Instruction>(value), "a value that is used before it is "
                                       "made");
    return PoisonValue::get(held(value->getType()));
  }
  if (!single)
    return found->second[part];
  return offsetBy(found->second[0],
                  shape.stride * static_cast<int64_t>(part * lanes));
}

Value *Emitter::vector(const Value *value, unsigned part) {
  Shape shape = shapes.of(value);
  if (isa<UndefValue>(value))
    return PoisonValue::get(vectorOf(value->getType()));
  Value *scalar = base(value, part);
  if (shape.isVarying())
    return scalar->getType() == held(value->getType())
               ? PoisonValue::get(vectorOf(value->getType())) // after an error
               : scalar;
  if (shape.isPartUniform())
    return splat(scalar);
  if (scalar->getType()->isPointerTy())
    return b.CreateGEP(b.getInt8Ty(), scalar,
                       laneOffsets(b.getInt64Ty(), shape));
  return b.CreateAdd(splat(scalar), laneOffsets(scalar->getType(), shape));
}

Value *Emitter::splat(Value *scalar) {
  auto *structure = dyn_cast<StructType>(scalar->getType());
  if (!structure)
    return b.CreateVectorSplat(lanes, scalar);
  Value *result = PoisonValue::get(vectorOf(structure));
  for (unsigned i = 0; i < structure->getNumElements(); ++i)
    result =
        b.CreateInsertValue(result, splat(b.CreateExtractValue(scalar, i)), i);
  return result;
}

Constant *Emitter::laneOffsets(Type *type, const Shape &shape) const {
  SmallVector<Constant *, 16> offsets;
  for (unsigned lane = 0; lane < lanes; ++lane)
    offsets.push_back(ConstantInt::get(type, shape.offset(lane),
                                       /*IsSigned=*/true,
                                       /*ImplicitTrunc=*/true));
  return ConstantVector::get(offsets);
}

Constant *Emitter::laneNumbers() const {
  return laneOffsets(Type::getInt32Ty(region.getContext()), Shape::linear(1));
}

Value *Emitter::offsetBy(Value *base, int64_t offset) {
  if (!offset)
    return base;
  if (base->getType()->isPointerTy())
    return b.CreateGEP(b.getInt8Ty(), base, b.getInt64(offset));
  return b.CreateAdd(base, ConstantInt::get(base->getType(), offset,
                                            /*IsSigned=*/true,
                                            /*ImplicitTrunc=*/true));
}

/// Whether a value is known to be the same in two parts, so that what is
/// computed from it for one serves the other.
bool Emitter::isSame(const Value *value, unsigned part, unsigned other) {
  Shape shape = shapes.of(value);
  if (shape.isUniform())
    return true;
  if (shape.kind == Shape::ChunkLinear)
    return shape.stride == 0;
  auto found = values.find(value);
  return found != values.end() && found->second[part] &&
         found->second[part] == found->second[other];
}

bool Emitter::hasSameOperands(const Instruction &instruction, unsigned part,
                              unsigned other) {
  for (const Value *operand : instruction.operands())
    if (!isSame(operand, part, other))
      return false;
  return true;
}

/// A stack slot that becomes SSA values once the body is complete.
AllocaInst *Emitter::slot(Type *type) {
  auto *variable = new AllocaInst(type, layout.getAllocaAddrSpace(), "",
                                  entry->getTerminator()->getIterator());
  promotable.push_back(variable);
  return variable;
}

/// Stack memory that stays memory.
AllocaInst *Emitter::scratch(Type *type, Align alignment, const char *name) {
  return new AllocaInst(type, layout.getAllocaAddrSpace(), nullptr, alignment,
                        name, entry->getTerminator()->getIterator());
}

Value *Emitter::load(Value *slot) {
  return b.CreateLoad(cast<AllocaInst>(slot)->getAllocatedType(), slot);
}

} // namespace bessemer::codegen::cpu
