//===- RowWalks.cpp - Loads of lanes that walk along rows -----------------===//
//
// The first step of a block reads it for every active lane, transposes the
// blocks of each part and leaves them in memory; the other steps load a vector
// from there. A block is as long as a vector and aligned like it, so it is on
// one page with the element that its lane asks for.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/5_emit/Transposition.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

static constexpr unsigned elementSize = 4;

Emitter::RowBlocks &Emitter::rowBlocksOf(const LoadInst &load) {
  RowBlocks &blocks = rowBlocks[&load];
  if (!blocks.tag) {
    Type *vector = vectorOf(load.getType());
    blocks.tag = slot(b.getInt64Ty());
    blocks.memory = scratch(ArrayType::get(vector, parts * lanes),
                            Align(lanes * elementSize), "rows");
  }
  return blocks;
}

/// On the way into a loop: memory may have changed since it was left.
void Emitter::forgetRowBlocks(const BasicBlock *from, const BasicBlock *to) {
  for (auto &[load, loop] : rowWalks.all())
    if (loop->getHeader() == to && !loop->contains(from))
      b.CreateStore(b.getInt64(0), rowBlocksOf(*load).tag);
}

/// Where the block of lane 0 begins.
static Value *blockStart(IRBuilderBase &b, Value *address, unsigned bytes) {
  return b.CreateAnd(b.CreatePtrToInt(address, b.getInt64Ty()),
                     b.getInt64(-int64_t(bytes)));
}

void Emitter::readRowBlocks(const LoadInst &load) {
  RowBlocks blocks = rowBlocksOf(load);
  Value *first = base(load.getPointerOperand(), 0);
  Value *start = blockStart(b, first, lanes * elementSize);
  Block *read = newBlock("row.read"), *known = newBlock("row.known");
  b.CreateCondBr(b.CreateICmpEQ(start, this->load(blocks.tag)), known, read);
  b.SetInsertPoint(read);
  Type *vector = vectorOf(load.getType());
  for (unsigned part = 0; part < parts; ++part) {
    if (isAllOff(part))
      continue;
    PartValues steps =
        rowBlock(load, b.CreateIntToPtr(start, b.getPtrTy()), part);
    for (auto [step, value] : enumerate(steps))
      b.CreateAlignedStore(
          value,
          b.CreateConstGEP1_32(vector, blocks.memory, part * lanes + step),
          blocks.memory->getAlign());
  }
  b.CreateStore(start, blocks.tag);
  b.CreateBr(known);
  b.SetInsertPoint(known);
}

/// Where the blocks of a part's lanes are; for lanes that are off, on the
/// stack. Chosen as a vector: LLVM makes a branch of a scalar choice between
/// addresses.
PartValues Emitter::blockAddresses(const LoadInst &load, Value *start,
                                   unsigned part) {
  int64_t stride = shapes.of(load.getPointerOperand()).stride;
  PartValues rows;
  for (unsigned lane = 0; lane < lanes; ++lane)
    rows.push_back(offsetBy(start, stride * int64_t(part * lanes + lane)));
  if (isAllOn(part))
    return rows;
  if (!dummyBlock)
    dummyBlock = scratch(vectorOf(load.getType()), Align(lanes * elementSize),
                         "dummy.row");
  Value *all = b.CreateGEP(b.getInt8Ty(), rows[0],
                           laneOffsets(b.getInt64Ty(), Shape::linear(stride)));
  all = b.CreateSelect(mask[part], all, splat(dummyBlock));
  for (unsigned lane = 0; lane < lanes; ++lane)
    rows[lane] = b.CreateExtractElement(all, lane);
  return rows;
}

/// The blocks of a part as one vector for each step.
PartValues Emitter::rowBlock(const LoadInst &load, Value *start,
                             unsigned part) {
  PartValues rows = blockAddresses(load, start, part);
  // Of as many rows at once no hardware prefetcher keeps track. The next chunk
  // will read the same place of its rows.
  int64_t chunk = shapes.of(load.getPointerOperand()).stride *
                  static_cast<int64_t>(options.lanesInFlight);
  for (Value *row : rows)
    b.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.getPtrTy()},
                      {offsetBy(row, chunk), int32(0), int32(3), int32(1)});
  Transposition transposition(b, lanes, lanes, elementSize, 1);
  unsigned count = transposition.granuleSize();
  auto *type = FixedVectorType::get(held(load.getType()), count);
  PartValues vectors;
  for (unsigned i = 0; i < lanes; ++i) {
    PartValues granules;
    for (unsigned s = 0; s < transposition.granules(); ++s) {
      unsigned first = transposition.firstElement(i, s);
      granules.push_back(b.CreateAlignedLoad(
          type, offsetBy(rows[first / lanes], first % lanes * elementSize),
          Align(count * elementSize)));
    }
    vectors.push_back(concatenateVectors(b, granules));
  }
  return transposition.toStreams(vectors);
}

Value *Emitter::loadFromRow(const LoadInst &load, unsigned part) {
  Value *first = base(load.getPointerOperand(), 0);
  Value *within = b.CreateAnd(b.CreatePtrToInt(first, b.getInt64Ty()),
                              b.getInt64(lanes * elementSize - 1));
  Value *step = b.CreateLShr(within, Log2_32(elementSize));
  Type *vector = vectorOf(load.getType());
  RowBlocks blocks = rowBlocksOf(load);
  Value *place = b.CreateGEP(vector, blocks.memory,
                             b.CreateAdd(step, b.getInt64(part * lanes)));
  return b.CreateAlignedLoad(vector, place, blocks.memory->getAlign());
}

} // namespace bessemer::codegen::cpu
