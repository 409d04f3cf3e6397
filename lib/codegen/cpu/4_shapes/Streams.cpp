//===- Streams.cpp - Stores that only write, in order ---------------------===//

#include "codegen/cpu/4_shapes/Streams.h"

#include "codegen/cpu/4_shapes/Walks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// Scalar instructions times parts beyond which the stores are a small part of
/// the work.
constexpr unsigned longestRegion = 1200;
/// What a chunk writes in one go. Lines that are written in pieces cost more
/// than they save.
constexpr unsigned shortestRun = 128;

struct Accesses {
  SmallVector<const Instruction *, 2> streams;
  bool others = false;
};

} // namespace

bool Streams::isStream(const StoreInst &store) const {
  if (!store.isSimple() || shapes.loopOf(store.getParent()))
    return false;
  Type *type = store.getValueOperand()->getType();
  int64_t size = region.getDataLayout().getTypeStoreSize(type);
  Shape shape = shapes.of(store.getPointerOperand());
  return !type->isIntegerTy(1) && shape.kind == Shape::ChunkLinear &&
         shape.stride == size && size * options.lanesInFlight >= shortestRun &&
         dependsOnGroup(region, store.getPointerOperand());
}

Streams::Streams(Function &region, const RegionOptions &options,
                 const ShapeAnalysis &shapes)
    : region(region), options(options), shapes(shapes) {
  SmallMapVector<const Value *, Accesses, 8> objects;
  for (Instruction &instruction : instructions(region)) {
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer && instruction.mayReadOrWriteMemory())
      return; // an atomic operation, a fence
    if (!pointer)
      continue;
    Accesses &accesses = objects[getUnderlyingObject(pointer)];
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (store && isStream(*store))
      accesses.streams.push_back(store);
    else
      accesses.others = true;
  }
  for (auto &[object, accesses] : objects) {
    auto *argument = dyn_cast<llvm::Argument>(object);
    if (!argument || accesses.others || accesses.streams.empty())
      continue;
    numbers.push_back(argument->getArgNo());
    stores.insert(accesses.streams.begin(), accesses.streams.end());
  }
}

Result<std::vector<unsigned>>
findStreamedArguments(Function &region, const RegionOptions &options,
                      FunctionAnalysisManager &analyses) {
  if (region.getInstructionCount() * options.parts() > longestRegion)
    return std::vector<unsigned>();
  ShapeAnalysis shapes(region, options, analyses);
  if (Status status = shapes.run(); !status)
    return status.error();
  return Streams(region, options, shapes).arguments().vec();
}

} // namespace bessemer::codegen::cpu
