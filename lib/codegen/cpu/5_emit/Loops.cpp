//===- Loops.cpp - Loops that lanes leave one by one ----------------------===//
//
// With all lanes on, a version without masks runs while every lane continues;
// at the first mixed exit it goes on in the version under the mask of the lanes
// that are still in the loop, until none is.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/5_emit/Emitter.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

void Emitter::emitDivergentLoop(const Loop &inner, Block *preheader,
                                Block *exit) {
  PartValues outer = mask, live;
  for (unsigned part = 0; part < parts; ++part)
    live.push_back(slot(vectorOf(b.getInt1Ty())));
  LoopState outerLoop = loop;
  b.SetInsertPoint(preheader);
  bool opened = openJoin(inner.getExitBlock());
  Block *maskedHead = newBlock("masked.head");
  loop = {&inner, preheader, maskedHead, exit, &live, /*allOn=*/true};
  if (mayEmitAllOn()) {
    emitLoopVersion(preheader);
  } else {
    for (unsigned part = 0; part < parts; ++part)
      b.CreateStore(maskOf(part), live[part]);
    b.CreateBr(maskedHead);
  }
  b.SetInsertPoint(maskedHead);
  mask.clear();
  for (unsigned part = 0; part < parts; ++part)
    mask.push_back(load(live[part]));
  Block *start = newBlock("masked.body");
  b.CreateBr(start);
  loop.head = maskedHead;
  loop.allOn = false;
  emitLoopVersion(start);
  mask = std::move(outer);
  loop = outerLoop;
  if (opened)
    openJoins.erase(inner.getExitBlock());
}

/// A uniform branch may also lead to the exit: with all lanes of the mask.
void Emitter::emitLoopVersion(Block *start) {
  Block *header = loop.loop->getHeader(), *exit = loop.loop->getExitBlock();
  BlockMap map;
  map[header] = start;
  map[exit] = loop.exit;
  emitBlocks(map, header, exit);
}

void Emitter::emitLatch(BranchInst &branch) {
  Block *latch = branch.getParent(), *header = loop.loop->getHeader(),
        *exit = loop.loop->getExitBlock();
  bool inverted = branch.getSuccessor(0) != header;
  // What all lanes agree on, like a limit of iterations, needs no mask: if it
  // fails, nobody stays.
  SmallVector<Conjunct, 4> conjuncts;
  splitCondition(branch.getCondition(), inverted, conjuncts);
  Value *agreed = b.getTrue();
  PartValues stay(parts, Constant::getAllOnesValue(vectorOf(b.getInt1Ty())));
  for (const Conjunct &conjunct : conjuncts)
    if (Value *test = agreedOn(conjunct))
      agreed = b.CreateAnd(agreed, test);
    else
      stay = restrict(stay, conditionOf(conjunct.condition, conjunct.inverted));
  auto anyStays = [&](Scalars lanesOn) {
    return b.CreateLogicalAnd(agreed, anyOf(lanesOn));
  };
  auto setLive = [&](const PartValues &lanesOn) {
    for (unsigned part = 0; part < parts; ++part)
      b.CreateStore(lanesOn[part], (*loop.live)[part]);
  };
  if (!loop.allOn) {
    emitEdge(latch, exit, mask);
    PartValues still = restrict(mask, stay);
    setLive(still);
    emitEdge(latch, header, mask);
    b.CreateCondBr(anyStays(still), loop.maskedHead, loop.exit);
    return;
  }
  Block *all = newBlock("all.stay"), *leaving = newBlock("some.leave"),
        *mixed = newBlock("mixed");
  b.CreateCondBr(allTrue(branch.getCondition(), inverted, stay), all, leaving);
  b.SetInsertPoint(all);
  emitEdge(latch, header, {});
  b.CreateBr(loop.head);
  b.SetInsertPoint(leaving);
  emitEdge(latch, exit, {});
  b.CreateCondBr(anyStays(stay), mixed, loop.exit);
  b.SetInsertPoint(mixed);
  setLive(stay);
  emitEdge(latch, header, {});
  b.CreateBr(loop.maskedHead);
}

} // namespace bessemer::codegen::cpu
