//===- LinearValues.cpp - Arithmetic on the bases of linear values --------===//

#include "codegen/cpu/5_emit/Emitter.h"

#include <algorithm>

using namespace llvm;

namespace bessemer::codegen::cpu {

/// zext and sext are anchored at the lane with the largest offset: lane 0 may
/// be inactive and its value have wrapped (`if (i > 0) x[i - 1]`).
Value *Emitter::extendBase(CastInst &instruction, Value *base,
                           const Shape &shape) {
  Type *type = instruction.getType();
  int64_t largest = 0;
  unsigned count =
      shape.kind == Shape::ChunkLinear ? options.lanesInFlight : lanes;
  for (unsigned lane = 0; lane < count; ++lane)
    largest = std::max(largest, shape.offset(lane));
  if (!largest || shapes.neverWraps(instruction.getOperand(0)))
    return b.CreateCast(instruction.getOpcode(), base, type);
  Value *last =
      b.CreateCast(instruction.getOpcode(), offsetBy(base, largest), type);
  return b.CreateSub(last, ConstantInt::get(type, largest));
}

/// One operation on scalar bases, such that adding the offsets of the result's
/// shape gives the result in each lane.
Value *Emitter::operateOnBases(Instruction &instruction, Scalars operands,
                               const Shape &shape) {
  if (!shape.isPartUniform()) {
    if (isa<ZExtInst, SExtInst>(instruction))
      return extendBase(cast<CastInst>(instruction), operands[0], shape);
    unsigned opcode = instruction.getOpcode();
    auto *constant = dyn_cast<ConstantInt>(
        instruction.getOperand(instruction.getNumOperands() - 1));
    if (opcode == Instruction::Or &&
        cast<PossiblyDisjointInst>(instruction).isDisjoint())
      return b.CreateAdd(operands[0], operands[1]);
    // The low bits of the constant are already in the offsets.
    if (constant && (opcode == Instruction::Or || opcode == Instruction::Xor)) {
      Shape source = shapes.of(instruction.getOperand(0)).perPart(lanes);
      unsigned low = std::min(constant->getBitWidth(), source.alignment);
      APInt high = constant->getValue();
      high.clearLowBits(low);
      return b.CreateBinOp(cast<BinaryOperator>(instruction).getOpcode(),
                           operands[0],
                           ConstantInt::get(instruction.getType(), high));
    }
  }
  auto *address = dyn_cast<GetElementPtrInst>(&instruction);
  if (address && shapes.isInterleaved(address->getPointerOperand()))
    return interleavedAddress(*address, operands);
  return operate(instruction, operands, /*asVector=*/false,
                 /*keepFlags=*/false);
}

} // namespace bessemer::codegen::cpu
