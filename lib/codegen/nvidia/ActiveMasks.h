//===- ActiveMasks.h - Which lanes are together at a block ------*- C++ -*-===//
//
// On NVIDIA GPUs the lanes of a diverged simdgroup run in no given order, and a
// warp instruction names the lanes that take part. Metal means those that are
// at the same place of the structured program. So the control flow is
// structurised, and the mask of a block is computed where lanes part: by a
// ballot at the branch. The ballot's own mask makes the lanes meet there.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_NVIDIA_ACTIVEMASKS_H
#define BESSEMER_CODEGEN_NVIDIA_ACTIVEMASKS_H

#include "codegen/common/SpmdTTI.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace bessemer::codegen::nvidia {

class ActiveMasks {
public:
  /// Structurises `function`. `entry` is the mask on entry.
  ActiveMasks(llvm::Function &function, llvm::Value *entry,
              SpmdAnalyses &analyses);

  /// The mask in `block`, an i32 that is available there. May insert code
  /// before the terminators of blocks that dominate it.
  llvm::Value *at(llvm::BasicBlock *block);

private:
  llvm::Value *compute(llvm::BasicBlock *block);
  llvm::Value *atHeader(llvm::Loop &loop);
  /// The lanes of `block` whose branch goes to successor `index`.
  llvm::Value *alongEdge(llvm::BasicBlock *block, unsigned index);
  llvm::Value *converged(llvm::BasicBlock *block);

  llvm::Value *entry;
  llvm::UniformityInfo *uniformity;
  llvm::DominatorTree *dominators;
  llvm::PostDominatorTree *postDominators;
  llvm::LoopInfo *loops;
  llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> masks;
  llvm::DenseMap<std::pair<llvm::BasicBlock *, unsigned>, llvm::Value *> edges;
};

} // namespace bessemer::codegen::nvidia

#endif // BESSEMER_CODEGEN_NVIDIA_ACTIVEMASKS_H
