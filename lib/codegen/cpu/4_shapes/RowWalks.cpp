//===- RowWalks.cpp - Lanes that each walk along a row of their own -------===//

#include "codegen/cpu/4_shapes/RowWalks.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// Each has a block of every lane in memory.
constexpr unsigned mostOfLoop = 4;

class Finder {
public:
  Finder(const RegionOptions &options, const ShapeAnalysis &shapes,
         const AccessGroups &groups, ScalarEvolution &evolution,
         const DominatorTree &dominators)
      : options(options), shapes(shapes), groups(groups), evolution(evolution),
        dominators(dominators) {}

  SmallVector<const LoadInst *, 4> find(const Loop &loop) const;

private:
  bool isPrivate(const Value *pointer) const {
    return shapes.privateBlock(getUnderlyingObject(pointer));
  }
  bool writesSharedMemory(const Loop &loop) const;
  bool isStep(Value *value, int64_t bytes, int64_t size, const Loop &) const;
  bool walks(const LoadInst &load, const Loop &loop) const;

  const RegionOptions &options;
  const ShapeAnalysis &shapes;
  const AccessGroups &groups;
  ScalarEvolution &evolution;
  const DominatorTree &dominators;
};

/// What is read ahead must stay as it is.
bool Finder::writesSharedMemory(const Loop &loop) const {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      auto *store = dyn_cast<StoreInst>(&instruction);
      if (store && store->isSimple() && isPrivate(store->getPointerOperand()))
        continue;
      if (instruction.mayWriteToMemory() || instruction.isAtomic())
        return true;
    }
  return false;
}

/// Whether `value`, of which one is `bytes`, moves by `size` in an iteration.
bool Finder::isStep(Value *value, int64_t bytes, int64_t size,
                    const Loop &loop) const {
  auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(value));
  if (!recurrence || recurrence->getLoop() != &loop)
    return false;
  auto *step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution));
  return step && step->getAPInt().getSExtValue() * bytes == size;
}

bool Finder::walks(const LoadInst &load, const Loop &loop) const {
  Value *pointer = const_cast<Value *>(load.getPointerOperand());
  int64_t size = load.getDataLayout().getTypeStoreSize(load.getType());
  Shape shape = shapes.of(pointer);
  // Every lane is as far in its block as lane 0.
  if (size != 4 || load.getAlign() < 4 || !load.isSimple() ||
      load.getType()->isPointerTy() || shape.kind != Shape::ChunkLinear ||
      !shape.stride || shape.stride % (size * options.partLanes) ||
      groups.of(&load) || isPrivate(pointer))
    return false;
  // Lanes that are on at a later step must have been when blocks were read.
  if (!dominators.dominates(load.getParent(), loop.getLoopLatch()))
    return false;
  if (isStep(pointer, 1, size, loop))
    return true;
  auto *address = dyn_cast<GetElementPtrInst>(pointer);
  if (!address || address->getNumIndices() != 1)
    return false;
  Value *index = address->getOperand(1);
  if (auto *extended = dyn_cast<CastInst>(index))
    index = extended->getOperand(0);
  int64_t bytes =
      load.getDataLayout().getTypeAllocSize(address->getSourceElementType());
  return isStep(index, bytes, size, loop);
}

SmallVector<const LoadInst *, 4> Finder::find(const Loop &loop) const {
  SmallVector<const LoadInst *, 4> found;
  if (!loop.isInnermost() || !loop.getLoopLatch() || writesSharedMemory(loop))
    return found;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load && found.size() < mostOfLoop && walks(*load, loop))
        found.push_back(load);
  return found;
}

} // namespace

RowWalks::RowWalks(Function &region, const RegionOptions &options,
                   const ShapeAnalysis &shapes, const AccessGroups &groups,
                   FunctionAnalysisManager &analyses) {
  Finder finder(options, shapes, groups,
                analyses.getResult<ScalarEvolutionAnalysis>(region),
                analyses.getResult<DominatorTreeAnalysis>(region));
  for (const Loop *loop :
       analyses.getResult<LoopAnalysis>(region).getLoopsInPreorder())
    for (const LoadInst *load : finder.find(*loop))
      loopOf[load] = loop;
}

} // namespace bessemer::codegen::cpu
