//===- ShapeTransfer.cpp - Shape of an instruction from its operands ------===//

#include "codegen/cpu/4_shapes/ShapeAnalysis.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

Shape ShapeAnalysis::transferPhi(PHINode &phi) const {
  Shape shape;
  Value *first = nullptr;
  bool several = false;
  for (Value *value : phi.incoming_values()) {
    if (isa<UndefValue>(value))
      continue;
    several |= first && first != value;
    first = value;
    shape = joinShapes(shape, of(value), options.partLanes);
  }
  if (!first)
    return Shape::Uniform;
  // A phi of one operand is at a loop exit: what lanes held as they left.
  bool blends = several || phi.getNumIncomingValues() == 1;
  if (isDivergentJoin(phi.getParent()) && !shape.isUnknown() && blends)
    return Shape::Varying;
  if (shape.isUniform()) // divergent to LLVM, so not one value for all lanes
    return Shape::linear(0);
  return shape;
}

/// Coordinate `dimension` of thread t is (t / inner) % extent; in the last
/// dimension there is no remainder to take.
Shape ShapeAnalysis::transferPosition(unsigned dimension) const {
  unsigned lanes = options.partLanes, inner = 1;
  for (unsigned i = 0; i < dimension; ++i)
    inner *= options.group[i];
  bool last = true;
  for (unsigned i = dimension + 1; i < 3; ++i)
    last &= options.group[i] == 1;
  unsigned extent = options.group[dimension];
  if (options.anyShape())
    return Shape::Varying;
  if (inner % lanes == 0)
    return partUniform();
  if (lanes % inner)
    return Shape::Varying;
  unsigned rows = lanes / inner;
  if (last || extent % rows == 0)
    return Shape::table(lanes, Log2_32(rows),
                        [inner](unsigned lane) { return lane / inner; });
  if (rows % extent == 0) // every part starts at coordinate 0
    return Shape::table(
        lanes, Shape::maxAlignment,
        [inner, extent](unsigned lane) { return lane / inner % extent; });
  return Shape::Varying;
}

Shape ShapeAnalysis::transferIntrinsic(CallInst &call, Intrinsic id) const {
  unsigned lanes = options.partLanes;
  switch (id) {
  case Intrinsic::ThreadIndexInThreadgroup: {
    unsigned chunk = options.lanesInFlight;
    return Shape::linear(1, Log2_32(chunk & -chunk));
  }
  case Intrinsic::ThreadPositionInThreadgroupX:
  case Intrinsic::ThreadPositionInThreadgroupY:
  case Intrinsic::ThreadPositionInThreadgroupZ:
    return transferPosition(attributeComponent(id));
  case Intrinsic::ThreadIndexInSimdgroup:
    return Shape::table(lanes, Log2_32(lanes),
                        [](unsigned lane) { return lane; });
  case Intrinsic::SimdgroupIndexInThreadgroup:
  case Intrinsic::Ballot:
    return partUniform();
  case Intrinsic::Shuffle: {
    Shape data = operand(call, 0), lane = operand(call, 1);
    if (data.isUnknown() || lane.isUnknown())
      return Shape();
    return lane.isPartUniform() ? partUniform() : Shape(Shape::Varying);
  }
  default:
    break;
  }
  switch (intrinsicInfo(id).family) {
  case IntrinsicFamily::Reduction:
    return partUniform();
  case IntrinsicFamily::Math: {
    bool uniform = true;
    for (Value *argument : call.args()) {
      if (of(argument).isUnknown())
        return Shape();
      uniform &= of(argument).isPartUniform();
    }
    return uniform ? partUniform() : Shape(Shape::Varying);
  }
  default:
    return Shape::Varying;
  }
}

/// and, or, xor, lshr by a constant act on base and offsets apart if no offset
/// reaches into the bits of the base.
Shape ShapeAnalysis::transferBits(BinaryOperator &instruction) const {
  auto *constant = dyn_cast<ConstantInt>(instruction.getOperand(1));
  Shape shape = operand(instruction, 0);
  if (!constant || constant->getBitWidth() > 64 || !shape.isLinear())
    return Shape::Varying;
  shape = shape.perPart(options.partLanes);
  unsigned bits = std::min(constant->getBitWidth(), shape.alignment);
  int64_t unit = int64_t(1) << bits;
  if (any_of(shape.offsets,
             [unit](int64_t offset) { return offset < 0 || offset >= unit; }))
    return Shape::Varying;
  uint64_t value = constant->getZExtValue();
  for (int64_t &offset : shape.offsets) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::And:
      offset &= value;
      break;
    case llvm::Instruction::Or:
      offset = (offset | value) & (unit - 1);
      break;
    case llvm::Instruction::Xor:
      offset = (offset ^ value) & (unit - 1);
      break;
    default:
      offset = value < 63 ? offset >> value : 0;
    }
  }
  if (instruction.getOpcode() == llvm::Instruction::LShr)
    shape.alignment -= std::min<uint64_t>(value, shape.alignment);
  return shape;
}

/// A product of two run-time values: where one is the same in neighbouring
/// lanes, so is the product.
Shape ShapeAnalysis::transferProduct(BinaryOperator &instruction) const {
  Shape factor = operand(instruction, 0), other = operand(instruction, 1);
  if (factor.isUnknown() || other.isUnknown())
    return Shape();
  if (!other.isUniform())
    std::swap(factor, other);
  if (!other.isUniform())
    return Shape::Varying;
  unsigned lanes = options.partLanes;
  SmallVector<int64_t, 16> same(lanes, 0);
  for (unsigned segment = factor.segmentLanes(lanes); segment >= 2;
       segment /= 2)
    if (factor.withinSegments(segment, lanes) == same)
      return Shape::segments(segment, same);
  return Shape::Varying;
}

Shape ShapeAnalysis::transferScale(BinaryOperator &instruction) const {
  auto *constant = dyn_cast<ConstantInt>(instruction.getOperand(1));
  if (!constant && instruction.getOpcode() == llvm::Instruction::Mul)
    return transferProduct(instruction);
  if (!constant || constant->getBitWidth() > 64 || constant->isZero())
    return Shape::Varying;
  int64_t factor = constant->getSExtValue();
  if (instruction.getOpcode() == llvm::Instruction::Shl) {
    if (constant->getZExtValue() >= 62)
      return Shape::Varying;
    factor = int64_t(1) << constant->getZExtValue();
  }
  // Offsets are kept as 64-bit integers and must not overflow there.
  if (factor > (int64_t(1) << 40) || factor < -(int64_t(1) << 40))
    return Shape::Varying;
  Shape zero = Shape::uniform(Shape::maxAlignment);
  return addShapes(zero, operand(instruction, 0), factor, options.partLanes);
}

/// A linear 32-bit value may wrap within a chunk. Where it is only an index,
/// lanes on the far side of the wrap are out of every buffer, hence inactive;
/// elsewhere its wide form is not linear.
Shape ShapeAnalysis::transferExtend(CastInst &instruction) const {
  Type *from = instruction.getSrcTy();
  Shape shape = operand(instruction, 0);
  if (shape.isPartUniform())
    return shape;
  if (from->isIntegerTy(1))
    return Shape::Varying;
  if (neverWraps(instruction.getOperand(0)))
    return shape;
  if (from->getIntegerBitWidth() < 32 || !feedsOnlyAddresses(&instruction))
    return Shape::Varying;
  const int64_t widest = 1 << 24;
  int64_t last = shape.offset(options.partLanes - 1);
  if (shape.kind == Shape::ChunkLinear)
    last = shape.stride * options.lanesInFlight;
  for (int64_t offset : shape.offsets)
    last = std::max(std::abs(last), std::abs(offset));
  return std::abs(last) < widest ? shape : Shape(Shape::Varying);
}

bool ShapeAnalysis::feedsOnlyAddresses(const Value *value,
                                       unsigned depth) const {
  return depth < 8 && all_of(
                          value->users(),
                          [&](const User *user) {
                            if (isa<GetElementPtrInst>(user))
                              return true;
                            const auto *operation = dyn_cast<Operator>(user);
                            if (!operation)
                              return false;
                            switch (operation->getOpcode()) {
                            case llvm::Instruction::Add:
                            case llvm::Instruction::Sub:
                            case llvm::Instruction::Mul:
                            case llvm::Instruction::Shl:
                            case llvm::Instruction::Or:
                              return feedsOnlyAddresses(user, depth + 1);
                            default:
                              return false;
                            }
                          });
}

/// group position * group size: no thread of a grid is beyond 2^32.
static bool isGroupOrigin(const Value *value) {
  const auto *product = dyn_cast<OverflowingBinaryOperator>(value);
  return product && product->hasNoUnsignedWrap() &&
         (product->getOpcode() == llvm::Instruction::Mul ||
          product->getOpcode() == llvm::Instruction::Shl) &&
         isa<llvm::Argument>(product->getOperand(0));
}

static bool isThreadNumber(const Value *value) {
  switch (intrinsicOf(value)) {
  case Intrinsic::ThreadIndexInThreadgroup:
  case Intrinsic::ThreadPositionInThreadgroupX:
  case Intrinsic::ThreadPositionInThreadgroupY:
  case Intrinsic::ThreadPositionInThreadgroupZ:
  case Intrinsic::ThreadIndexInSimdgroup:
  case Intrinsic::SimdgroupIndexInThreadgroup:
    return true;
  default:
    return false;
  }
}

bool ShapeAnalysis::neverWraps(const Value *value) const {
  if (isThreadNumber(value) || of(value).isUniform())
    return true;
  const auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return false;
  bool wide = instruction->getType()->getScalarSizeInBits() >= 32;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::And:
  case llvm::Instruction::LShr:
    return true;
  case llvm::Instruction::Shl:
  case llvm::Instruction::Mul: {
    const auto *factor = dyn_cast<ConstantInt>(instruction->getOperand(1));
    uint64_t limit =
        instruction->getOpcode() == llvm::Instruction::Shl ? 10 : 1024;
    return wide && factor && factor->getValue().ult(limit) &&
           isThreadNumber(instruction->getOperand(0));
  }
  case llvm::Instruction::Or:
    return cast<PossiblyDisjointInst>(instruction)->isDisjoint() &&
           neverWraps(instruction->getOperand(0)) &&
           neverWraps(instruction->getOperand(1));
  case llvm::Instruction::Add:
    for (unsigned i = 0; i < 2; ++i)
      if (isThreadNumber(instruction->getOperand(i)) &&
          isGroupOrigin(instruction->getOperand(1 - i)))
        return instruction->hasNoUnsignedWrap();
    return false;
  default:
    return false;
  }
}

Shape ShapeAnalysis::transferSelect(Instruction &instruction) const {
  Shape condition = operand(instruction, 0);
  Shape joined = joinShapes(operand(instruction, 1), operand(instruction, 2),
                            options.partLanes);
  if (condition.isUniform())
    return joined;
  if (!condition.isPartUniform() || joined.isVarying())
    return Shape::Varying;
  return joined.perPart(options.partLanes);
}

Shape ShapeAnalysis::transferAddress(GetElementPtrInst &address) const {
  const DataLayout &layout = region.getDataLayout();
  Shape shape = of(address.getPointerOperand());
  int64_t scale =
      isInterleaved(address.getPointerOperand()) ? options.lanesInFlight : 1;
  for (auto index = gep_type_begin(address), end = gep_type_end(address);
       index != end; ++index) {
    if (index.isStruct())
      continue;
    int64_t step = index.getSequentialElementStride(layout).getFixedValue();
    shape = addShapes(shape, of(index.getOperand()), scale * step,
                      options.partLanes);
  }
  return shape;
}

/// Operations that keep linear values linear; Varying for the others.
Shape ShapeAnalysis::transferLinear(Instruction &instruction) const {
  unsigned lanes = options.partLanes;
  auto sum = [&](int64_t scale) {
    return addShapes(operand(instruction, 0), operand(instruction, 1), scale,
                     lanes);
  };
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Add:
    return sum(1);
  case llvm::Instruction::Sub:
    return sum(-1);
  case llvm::Instruction::Or:
    if (cast<PossiblyDisjointInst>(instruction).isDisjoint())
      return sum(1);
    [[fallthrough]];
  case llvm::Instruction::Xor:
  case llvm::Instruction::And:
  case llvm::Instruction::LShr:
    return transferBits(cast<BinaryOperator>(instruction));
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
    return transferScale(cast<BinaryOperator>(instruction));
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
    return transferExtend(cast<CastInst>(instruction));
  case llvm::Instruction::Trunc:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::AddrSpaceCast:
    return operand(instruction, 0);
  case llvm::Instruction::Select:
    return transferSelect(instruction);
  case llvm::Instruction::GetElementPtr:
    return transferAddress(cast<GetElementPtrInst>(instruction));
  default:
    return Shape::Varying;
  }
}

Shape ShapeAnalysis::transfer(Instruction &instruction) const {
  if (auto *phi = dyn_cast<PHINode>(&instruction))
    return transferPhi(*phi);
  if (const PrivateBlock *block = privateBlock(&instruction))
    return Shape::linear(block->laneStride());
  if (Intrinsic id = intrinsicOf(&instruction); id != Intrinsic::None)
    return transferIntrinsic(cast<CallInst>(instruction), id);
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    Shape address = of(load->getPointerOperand());
    if (address.isUnknown())
      return Shape();
    bool simple = load->isSimple();
    return address.isPartUniform() && simple ? partUniform()
                                             : Shape(Shape::Varying);
  }
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return Shape::Varying;
  auto *call = dyn_cast<CallInst>(&instruction);
  if (call && !call->doesNotAccessMemory())
    return Shape::Varying;

  bool allPartUniform = true;
  for (Value *value : instruction.operands()) {
    if (isa<Function>(value))
      continue;
    Shape shape = of(value);
    if (shape.isUnknown())
      return Shape();
    allPartUniform &= shape.isPartUniform() && shape.kind != Shape::ChunkLinear;
  }
  Type *type = instruction.getType();
  if (type->isIntOrPtrTy() && !type->isIntegerTy(1)) {
    Shape shape = transferLinear(instruction);
    if (!shape.isVarying() || (shape.segment && !allPartUniform))
      return shape;
  }
  return allPartUniform ? partUniform() : Shape(Shape::Varying);
}

} // namespace bessemer::codegen::cpu
