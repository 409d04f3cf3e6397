//===- Walks.cpp - Accesses by which a group walks through memory ---------===//

#include "codegen/cpu/4_shapes/Walks.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// Bytes a pointer moves in an iteration of the innermost loop; 0: not known.
int64_t stepOf(Value *pointer, const Loop &loop, ScalarEvolution &evolution) {
  auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(pointer));
  if (!recurrence || recurrence->getLoop() != &loop)
    return 0;
  auto *step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution));
  return step ? step->getAPInt().getSExtValue() : 0;
}

} // namespace

bool dependsOnGroup(Function &region, const Value *pointer) {
  SmallPtrSet<const Value *, 16> groups, seen;
  for (auto position : {RegionParameters::GroupX, RegionParameters::GroupY,
                        RegionParameters::GroupZ})
    groups.insert(RegionParameters::get(region, position));
  SmallVector<const Value *> worklist{pointer};
  while (!worklist.empty()) {
    const Value *value = worklist.pop_back_val();
    if (groups.contains(value))
      return true;
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && seen.insert(value).second)
      append_range(worklist, instruction->operands());
  }
  return false;
}

Walks::Walks(Function &region, const RegionOptions &options,
             const ShapeAnalysis &shapes, FunctionAnalysisManager &analyses) {
  if (options.chunks() <= 1)
    return;
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(region);
  for (BasicBlock *block : shapes.blocks()) {
    const Loop *loop = shapes.loopOf(block);
    if (!loop)
      continue;
    std::vector<Walk> found;
    for (Instruction &instruction : *block) {
      Value *pointer = getLoadStorePointerOperand(&instruction);
      Shape shape = pointer ? shapes.of(pointer) : Shape();
      if (shape.kind != Shape::ChunkLinear || shape.stride <= 0)
        continue;
      int64_t step = stepOf(pointer, *loop, evolution);
      if (step != shape.stride * static_cast<int64_t>(options.threads()) ||
          !dependsOnGroup(region, pointer))
        continue;
      bool writes = isa<StoreInst>(instruction);
      auto same = find_if(
          found, [&](const Walk &walk) { return walk.pointer == pointer; });
      if (same == found.end())
        found.push_back({pointer, step, writes});
      else
        same->writes |= writes;
    }
    if (!found.empty())
      walks[block] = std::move(found);
  }
}

} // namespace bessemer::codegen::cpu
