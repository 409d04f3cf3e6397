//===- ProgramOrder.h - Which of two points comes first ---------*- C++ -*-===//
//
// Lanes that diverged meet again where the structured program has them meet.
// For that, waiting lanes are ordered by how far they have come: by position in
// an order of the blocks that is topological once every loop is seen as one
// node, within a loop by iteration first, then by position in its body.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_INTERP_PROGRAMORDER_H
#define BESSEMER_CODEGEN_INTERP_PROGRAMORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Loop;
class LoopInfo;
} // namespace llvm

namespace bessemer::codegen::interp {

class ProgramOrder {
public:
  explicit ProgramOrder(const llvm::Function &function);

  unsigned loopCount() const { return loops; }

  /// Counts the entry into `to`: iterations[l] is how often the current
  /// execution of loop l went back to its header.
  void enter(const llvm::BasicBlock *from, const llvm::BasicBlock *to,
             llvm::MutableArrayRef<uint64_t> iterations) const;

  /// Negative, zero or positive as the first block comes before, is, or comes
  /// after the second, each in its own iterations.
  int compare(const llvm::BasicBlock *left,
              llvm::ArrayRef<uint64_t> leftIterations,
              const llvm::BasicBlock *right,
              llvm::ArrayRef<uint64_t> rightIterations) const;

private:
  static constexpr unsigned noLoop = ~0u;
  /// Position among the nodes of one region; the loop that the node stands
  /// for, or noLoop for a block.
  struct Node {
    unsigned position;
    unsigned loop;
  };
  using Path = llvm::SmallVector<Node, 4>;

  void orderRegion(const llvm::LoopInfo &info, const llvm::Loop *region,
                   const llvm::BasicBlock *entry, const Path &prefix);

  unsigned loops = 0;
  llvm::DenseMap<const llvm::BasicBlock *, Path> paths;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> headers;
};

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_PROGRAMORDER_H
