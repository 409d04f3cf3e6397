//===- RowWalks.h - Lanes that each walk along a row of their own -*- C++
//-*-===//
//
// `for (k...) sum += x[thread * columns + k]` reads one element of each row in
// turn, lane after lane. Each lane's row lies in order in memory, so a block of
// it can be read at once; transposed, the blocks of a part are the vectors of
// the next steps (5_emit/RowWalks.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_SHAPES_ROWWALKS_H
#define BESSEMER_CODEGEN_CPU_SHAPES_ROWWALKS_H

#include "codegen/cpu/4_shapes/AccessGroups.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace bessemer::codegen::cpu {

class RowWalks {
public:
  RowWalks(llvm::Function &region, const RegionOptions &options,
           const ShapeAnalysis &shapes, const AccessGroups &groups,
           llvm::FunctionAnalysisManager &analyses);

  bool contains(const llvm::LoadInst *load) const {
    return loopOf.contains(load);
  }
  /// The loads, each with the loop in which it walks.
  const llvm::MapVector<const llvm::LoadInst *, const llvm::Loop *> &
  all() const {
    return loopOf;
  }

private:
  llvm::MapVector<const llvm::LoadInst *, const llvm::Loop *> loopOf;
};

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_SHAPES_ROWWALKS_H
