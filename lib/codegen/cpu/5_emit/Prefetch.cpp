//===- Prefetch.cpp - The next group's memory, in order -------------------===//
//
// Chunk after chunk walks through the row of a group in steps that leave out
// what the other chunks take, an order that no hardware prefetcher follows. So
// while a group works on its row, each chunk fetches its share of the row
// behind it, most likely the next group's, from front to back.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/5_emit/Emitter.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

constexpr int64_t cacheLine = 64;

/// `for (index = thread; index < limit; index += threads)`
struct Counter {
  const PHINode *index = nullptr;
  const Value *limit = nullptr;
};

Counter findCounter(const Loop &loop, const ShapeAnalysis &shapes,
                    unsigned threads) {
  const BasicBlock *latch = loop.getLoopLatch();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional())
    return {};
  auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
  if (!compare)
    return {};
  for (const PHINode &phi : loop.getHeader()->phis()) {
    Shape shape = shapes.of(&phi);
    const Value *next = phi.getIncomingValueForBlock(latch);
    if (shape.kind != Shape::ChunkLinear || shape.stride != 1 ||
        !match(next, PatternMatch::m_Add(PatternMatch::m_Specific(&phi),
                                         PatternMatch::m_SpecificInt(threads))))
      continue;
    for (unsigned side = 0; side < 2; ++side)
      if (compare->getOperand(side) == next &&
          loop.isLoopInvariant(compare->getOperand(1 - side)) &&
          shapes.of(compare->getOperand(1 - side)).isUniform())
        return {&phi, compare->getOperand(1 - side)};
  }
  return {};
}

} // namespace

/// At the end of a loop's block. Prefetches never fault, so the end of memory
/// does not matter.
void Emitter::emitPrefetches(const BasicBlock &block) {
  ArrayRef<Walk> found = walks.in(&block);
  if (found.empty() || !mask.empty())
    return;
  Counter counter =
      findCounter(*shapes.loopOf(&block), shapes, options.threads());
  if (!counter.index)
    return;
  Type *i64 = b.getInt64Ty();
  Value *threads = b.getInt64(options.threads());
  Value *index = b.CreateZExtOrTrunc(base(counter.index, 0), i64);
  Value *limit = b.CreateZExtOrTrunc(uniform(counter.limit), i64);
  Value *first = b.CreateZExt(firstThread(), i64);
  // Of the row behind: where this chunk's share begins, and how far it is.
  Value *share = b.CreateUDiv(b.CreateMul(first, limit), threads);
  Value *done = b.CreateMul(b.CreateUDiv(b.CreateSub(index, first), threads),
                            b.getInt64(options.lanesInFlight));
  Value *ahead =
      b.CreateSub(b.CreateAdd(limit, b.CreateAdd(share, done)), index);
  for (const Walk &walk : found) {
    int64_t size = walk.step / options.threads();
    Value *start = b.CreateGEP(b.getInt8Ty(), base(walk.pointer, 0),
                               b.CreateMul(ahead, b.getInt64(size)));
    for (int64_t at = 0; at < size * options.lanesInFlight; at += cacheLine)
      b.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.getPtrTy()},
                        {offsetBy(start, at), int32(walk.writes),
                         int32(/*locality=*/3), int32(/*data=*/1)});
  }
}

} // namespace bessemer::codegen::cpu
