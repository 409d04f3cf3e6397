//===- Counting.h - Loops whose steps are counted ---------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_COMMON_COUNTING_H
#define BESSEMER_CODEGEN_COMMON_COUNTING_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
class DominatorTree;
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace bessemer::codegen {

/// Whether how often a loop runs is settled by counting: by variables that
/// every step changes the same way, and not by what the lanes of a step find.
/// On code as Clang writes it, with its variables in memory.
class Counting {
public:
  using Test = llvm::function_ref<bool(const llvm::Instruction &)>;

  /// `crossesLanes`: the instruction, or what it calls, asks other lanes.
  Counting(const llvm::Loop &loop, const llvm::DominatorTree &dominators,
           Test crossesLanes)
      : loop(loop), dominators(dominators), crossesLanes(crossesLanes) {}

  bool test();
  bool isInEveryStep(const llvm::BasicBlock *block) const;

private:
  void push(const llvm::Value *value);
  bool counts(const llvm::Instruction &instruction);
  bool countsVariable(const llvm::AllocaInst &variable);

  const llvm::Loop &loop;
  const llvm::DominatorTree &dominators;
  Test crossesLanes;
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  llvm::SmallVector<const llvm::Instruction *> worklist;
};

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_COMMON_COUNTING_H
