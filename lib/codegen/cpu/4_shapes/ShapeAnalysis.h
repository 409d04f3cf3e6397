//===- ShapeAnalysis.h - Shapes of the values of a region -------*- C++ -*-===//
//
// An optimistic fixpoint over the values that LLVM's uniformity analysis calls
// divergent; the others are Uniform. Also keeps what emission asks about
// control flow: where lanes meet again, which loops they leave one by one.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_SHAPES_SHAPEANALYSIS_H
#define BESSEMER_CODEGEN_CPU_SHAPES_SHAPEANALYSIS_H

#include "codegen/common/Intrinsics.h"
#include "codegen/cpu/4_shapes/Shape.h"
#include "codegen/cpu/Region.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"

#include <vector>

namespace bessemer::codegen::cpu {

/// Private memory of the lanes: one block a chunk. `element` != 0: structure of
/// arrays, element e of lane l at (e * W + l) * element. 0: lane l's bytes
/// together at l * bytes.
struct PrivateBlock {
  uint64_t bytes = 0;
  unsigned element = 0;
  uint64_t laneStride() const { return element ? element : bytes; }
};

class ShapeAnalysis {
public:
  ShapeAnalysis(llvm::Function &region, const RegionOptions &options,
                llvm::FunctionAnalysisManager &analyses);
  Status run();

  Shape of(const llvm::Value *value) const;
  bool hasDivergentBranch(const llvm::BasicBlock &block) const {
    return uniformity.hasDivergentTerminator(block);
  }
  /// Lanes of different paths meet here, so values are blended.
  bool isDivergentJoin(const llvm::BasicBlock *block) const {
    return joins.contains(block);
  }
  /// Lanes leave it at different times.
  bool isDivergentLoop(const llvm::Loop *loop) const {
    return divergentLoops.contains(loop);
  }
  const llvm::Loop *loopOf(const llvm::BasicBlock *block) const {
    return loops.getLoopFor(block);
  }
  llvm::BasicBlock *joinOf(const llvm::BasicBlock *block) const;

  /// Blocks in reverse post-order, and the position of a block in it.
  llvm::ArrayRef<llvm::BasicBlock *> blocks() const { return order; }
  unsigned numberOf(const llvm::BasicBlock *block) const {
    return numbers.lookup(block);
  }

  /// The block that an alloca or a call to bsm.cpu.private stands for.
  const PrivateBlock *privateBlock(const llvm::Value *value) const;
  /// Whether address arithmetic on this pointer counts elements of W lanes.
  bool isInterleaved(const llvm::Value *pointer) const {
    return interleaved.contains(pointer);
  }
  /// No lane's value of this integer wraps around relative to another lane's,
  /// whichever lanes are active.
  bool neverWraps(const llvm::Value *value) const;

  void print(llvm::raw_ostream &stream) const;

private:
  Status findDivergence();
  void findPrivateMemory();
  void followPrivatePointer(llvm::Instruction &root);

  Shape uniformShape(const llvm::Value *value) const;
  Shape transfer(llvm::Instruction &instruction) const;
  Shape transferPhi(llvm::PHINode &phi) const;
  Shape transferIntrinsic(llvm::CallInst &call, Intrinsic id) const;
  Shape transferPosition(unsigned dimension) const;
  Shape transferBits(llvm::BinaryOperator &instruction) const;
  Shape transferProduct(llvm::BinaryOperator &instruction) const;
  Shape transferScale(llvm::BinaryOperator &instruction) const;
  Shape transferExtend(llvm::CastInst &instruction) const;
  Shape transferSelect(llvm::Instruction &instruction) const;
  Shape transferAddress(llvm::GetElementPtrInst &address) const;
  Shape transferLinear(llvm::Instruction &instruction) const;
  bool feedsOnlyAddresses(const llvm::Value *value, unsigned depth = 0) const;

  Shape operand(const llvm::Instruction &instruction, unsigned index) const {
    return of(instruction.getOperand(index));
  }
  Shape partUniform() const { return Shape::partUniform(options.partLanes); }

  llvm::Function &region;
  const RegionOptions &options;
  llvm::UniformityInfo &uniformity;
  llvm::LoopInfo &loops;
  llvm::PostDominatorTree &postDominators;

  llvm::DenseMap<const llvm::Value *, Shape> shapes;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> joins;
  llvm::SmallPtrSet<const llvm::Loop *, 8> divergentLoops;
  std::vector<llvm::BasicBlock *> order;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> numbers;
  llvm::DenseMap<const llvm::Value *, PrivateBlock> privateBlocks;
  llvm::SmallPtrSet<const llvm::Value *, 16> interleaved;
};

/// Where an instruction comes from in the user's source: " (file:line)" or "".
std::string sourceLocation(const llvm::Instruction &instruction);

/// Prints the shape of every value of a structurised region, for tests.
Status printShapes(llvm::Function &region, const RegionOptions &options,
                   llvm::FunctionAnalysisManager &analyses,
                   llvm::raw_ostream &stream);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_SHAPES_SHAPEANALYSIS_H
