//===- Walks.h - Accesses by which a group walks through memory -*- C++ -*-===//
//
// `for (i = thread; i < n; i += threads)` reads memory in order as a group, but
// a chunk of it only touches every so many bytes, which no hardware prefetcher
// follows. Such accesses are found here, so that the first chunk can fetch what
// the others will want.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_SHAPES_WALKS_H
#define BESSEMER_CODEGEN_CPU_SHAPES_WALKS_H

#include "codegen/cpu/4_shapes/ShapeAnalysis.h"

#include "llvm/Analysis/ScalarEvolution.h"

namespace bessemer::codegen::cpu {

struct Walk {
  const llvm::Value *pointer;
  int64_t step; ///< Bytes from one iteration to the next; what a group covers.
  bool writes;
};

/// Whether another group finds another address: not in shared weights.
bool dependsOnGroup(llvm::Function &region, const llvm::Value *pointer);

class Walks {
public:
  /// Empty for groups of one chunk.
  Walks(llvm::Function &region, const RegionOptions &options,
        const ShapeAnalysis &shapes, llvm::FunctionAnalysisManager &analyses);

  llvm::ArrayRef<Walk> in(const llvm::BasicBlock *block) const {
    auto found = walks.find(block);
    return found == walks.end() ? llvm::ArrayRef<Walk>()
                                : llvm::ArrayRef<Walk>(found->second);
  }

private:
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<Walk>> walks;
};

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_SHAPES_WALKS_H
