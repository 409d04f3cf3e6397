//===- ControlFlow.cpp - Branches of all lanes ----------------------------===//
//
// A uniform branch stays a branch. After a divergent one both sides are emitted
// in turn, each under the mask of its lanes and skipped if there are none. With
// all lanes on, a version without masks comes first, for the case that all go
// the same way.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/5_emit/Emitter.h"

#include "llvm/IR/PatternMatch.h"

#include <set>

using namespace llvm;

namespace bessemer::codegen::cpu {

/// Versions without masks double the code below a branch, so they stop at this
/// nesting depth and at this size of the body.
constexpr unsigned maxAllOnDepth = 2;
constexpr unsigned maxEmittedForAllOn = 12000;
constexpr unsigned longestRepeatedLatch = 16; ///< Instructions.

bool Emitter::mayEmitAllOn() const {
  return mask.empty() && options.size != CodeSize::Least &&
         emitted < maxEmittedForAllOn;
}

Emitter::Block *Emitter::mapped(BlockMap &map, Block *block) {
  Block *&copy = map[block];
  if (!copy)
    copy = newBlock(block->getName());
  return copy;
}

PartValues &Emitter::slotsOf(PHINode &phi) {
  PartValues &result = slots[&phi];
  if (!result.empty())
    return result;
  Shape shape = shapes.of(&phi);
  Type *type =
      shape.isVarying() ? vectorOf(phi.getType()) : held(phi.getType());
  for (unsigned i = 0; i < (shape.isSingle() ? 1 : parts); ++i)
    result.push_back(slot(type));
  return result;
}

/// What flows along an edge for the lanes of `mask` (empty: all). Where lanes
/// of different paths meet, the others keep what they have.
void Emitter::emitEdge(Block *from, Block *to, const PartValues &mask) {
  forgetRowBlocks(from, to);
  SmallVector<std::pair<Value *, Value *>, 8> stores;
  for (PHINode &phi : to->phis()) {
    Value *value = phi.getIncomingValueForBlock(from);
    if (isa<UndefValue>(value))
      continue;
    Shape shape = shapes.of(&phi);
    PartValues &places = slotsOf(phi);
    for (unsigned i = 0; i < places.size(); ++i) {
      Value *incoming = shape.isVarying() ? vector(value, i) : base(value, i);
      if (!mask.empty() && shape.isVarying() && openJoins.contains(to))
        incoming = b.CreateSelect(mask[i], incoming, load(places[i]));
      stores.push_back({incoming, places[i]});
    }
    spread += places.size();
  }
  // Only now, as a phi may be the value of another.
  for (auto &[value, place] : stores)
    b.CreateStore(value, place);
}

/// From here on, lanes bring values to `join` one path after another; what an
/// earlier visit left there is gone. Said outright, as each value would else be
/// carried through all of the body before. False if others have begun before.
bool Emitter::openJoin(Block *join) {
  if (!openJoins.insert(join).second)
    return false;
  for (PHINode &phi : join->phis())
    if (shapes.of(&phi).isVarying())
      for (Value *place : slotsOf(phi))
        b.CreateStore(
            PoisonValue::get(cast<AllocaInst>(place)->getAllocatedType()),
            place);
  return true;
}

/// Emits the blocks reachable from `entry` without passing `stop`, in reverse
/// post-order.
void Emitter::emitBlocks(BlockMap &map, Block *entry, Block *stop) {
  std::set<unsigned> pending{shapes.numberOf(entry)};
  SmallPtrSet<Block *, 16> done;
  if (stop)
    done.insert(stop);
  auto push = [&](Block *block) {
    if (!done.contains(block))
      pending.insert(shapes.numberOf(block));
  };
  while (!pending.empty() && !failed()) {
    Block *block = shapes.blocks()[*pending.begin()];
    pending.erase(pending.begin());
    if (!done.insert(block).second)
      continue;
    const Loop *inner = shapes.loopOf(block);
    if (inner && inner->getHeader() == block && inner != loop.loop &&
        shapes.isDivergentLoop(inner)) {
      Block *exit = inner->getExitBlock();
      emitDivergentLoop(*inner, mapped(map, block), mapped(map, exit));
      push(exit);
      continue;
    }
    b.SetInsertPoint(mapped(map, block));
    emitBlock(*block);
    checkSize();
    if (!failed())
      emitTerminator(map, block, push);
  }
}

void Emitter::emitTerminator(BlockMap &map, Block *block,
                             function_ref<void(Block *)> push) {
  Instruction *terminator = block->getTerminator();
  b.SetCurrentDebugLocation(locations->map(terminator->getDebugLoc()));
  if (isa<ReturnInst>(terminator)) {
    b.CreateRet(int32(BSM_RUN_DONE));
    return;
  }
  if (isa<UnreachableInst>(terminator)) {
    b.CreateUnreachable();
    return;
  }
  auto *branch = dyn_cast<BranchInst>(terminator);
  if (!branch) {
    fail(terminator, Twine("the terminator ") + terminator->getOpcodeName());
    return;
  }
  if (loop.loop && loop.loop->getLoopLatch() == block &&
      branch->isConditional()) {
    emitLatch(*branch);
    return;
  }
  if (branch->isUnconditional()) {
    Block *successor = branch->getSuccessor(0);
    emitEdge(block, successor, mask);
    b.CreateBr(mapped(map, successor));
    push(successor);
    return;
  }
  if (!shapes.hasDivergentBranch(*block)) {
    emitUniformBranch(map, *branch);
    push(branch->getSuccessor(0));
    push(branch->getSuccessor(1));
    return;
  }
  Block *join = shapes.joinOf(block);
  if (!join) {
    fail(terminator, "a branch whose sides do not meet again");
    return;
  }
  emitDivergentBranch(*branch, join, mapped(map, join));
  push(join);
}

void Emitter::emitUniformBranch(BlockMap &map, BranchInst &branch) {
  Block *edges[2] = {newBlock("edge"), newBlock("edge")};
  b.CreateCondBr(uniform(branch.getCondition()), edges[0], edges[1]);
  for (unsigned side = 0; side < 2; ++side) {
    Block *successor = branch.getSuccessor(side);
    b.SetInsertPoint(edges[side]);
    emitEdge(branch.getParent(), successor, mask);
    b.CreateBr(mapped(map, successor));
  }
}

/// `== constant` rarely holds in all lanes.
static bool isRarelyTrue(const Value *condition, bool inverted) {
  auto *compare = dyn_cast<ICmpInst>(condition);
  return compare && compare->getPredicate() ==
                        (inverted ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ);
}

void Emitter::emitDivergentBranch(BranchInst &branch, Block *join,
                                  Block *newJoin) {
  bool opened = openJoin(join);
  Value *condition = branch.getCondition();
  PartValues masks[2] = {restrict(mask, conditionOf(condition, false)),
                         restrict(mask, conditionOf(condition, true))};
  for (unsigned side = 0; side < 2; ++side)
    if (branch.getSuccessor(side) != join && mayEmitAllOn() &&
        allOnDepth < maxAllOnDepth && !isRarelyTrue(condition, side == 1))
      emitSideAllOn(branch, side, masks[side], join, newJoin);
  // The direct edge first: what it brings is overwritten by the other lanes,
  // and needs no mask if nobody was there before.
  unsigned first = branch.getSuccessor(1) == join ? 1 : 0;
  for (unsigned side : {first, 1 - first}) {
    if (failed())
      return;
    if (branch.getSuccessor(side) == join)
      emitEdge(branch.getParent(), join, opened ? PartValues() : masks[side]);
    else
      emitSideMasked(branch, side, masks[side], join);
  }
  b.CreateBr(newJoin);
  if (opened)
    openJoins.erase(join);
}

void Emitter::emitSideAllOn(BranchInst &branch, unsigned side,
                            const PartValues &sideMask, Block *join,
                            Block *newJoin) {
  Block *successor = branch.getSuccessor(side);
  Value *test = allTrue(branch.getCondition(), side == 1, sideMask);
  if (match(test, PatternMatch::m_Zero()))
    return;
  Block *all = newBlock("all"), *mixed = newBlock("mixed"),
        *start = newBlock(successor->getName());
  b.CreateCondBr(test, all, mixed);
  b.SetInsertPoint(all);
  emitEdge(branch.getParent(), successor, {});
  b.CreateBr(start);
  BlockMap map;
  map[successor] = start;
  ++allOnDepth;
  // The end of the loop's body is repeated where all lanes are on: what they
  // agree on there, like a limit of iterations, then needs no vectors.
  if (loop.loop && loop.allOn && loop.loop->getLoopLatch() == join &&
      join->sizeWithoutDebug() <= longestRepeatedLatch) {
    map[loop.loop->getExitBlock()] = loop.exit;
    emitBlocks(map, successor, loop.loop->getExitBlock());
  } else {
    map[join] = newJoin;
    emitBlocks(map, successor, join);
  }
  --allOnDepth;
  b.SetInsertPoint(mixed);
}

void Emitter::emitSideMasked(BranchInst &branch, unsigned side,
                             const PartValues &sideMask, Block *join) {
  Block *successor = branch.getSuccessor(side);
  Block *some = newBlock("some"), *next = newBlock("next"),
        *start = newBlock(successor->getName());
  b.CreateCondBr(anyOf(sideMask), some, next);
  b.SetInsertPoint(some);
  PartValues outer = std::exchange(mask, sideMask);
  emitEdge(branch.getParent(), successor, mask);
  b.CreateBr(start);
  BlockMap map;
  map[join] = next;
  map[successor] = start;
  emitBlocks(map, successor, join);
  mask = std::move(outer);
  b.SetInsertPoint(next);
}

} // namespace bessemer::codegen::cpu
