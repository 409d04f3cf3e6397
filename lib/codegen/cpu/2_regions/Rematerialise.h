//===- Rematerialise.h - Values cheaper computed again ----------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_REMATERIALISE_H
#define BESSEMER_CODEGEN_CPU_REMATERIALISE_H

#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"

namespace bessemer::codegen::cpu {

/// Finds the values that are trees of thread attributes, arguments and cheap
/// arithmetic; behind a barrier they are computed again, not loaded. That also
/// keeps addresses linear in the lane, which a reload would hide.
class Rematerialiser {
public:
  explicit Rematerialiser(const llvm::UniformityInfo &uniformity)
      : uniformity(uniformity) {}

  bool isCheap(llvm::Value *value, unsigned depth = 0);

private:
  bool isCheapInstruction(const llvm::Instruction &instruction) const;

  const llvm::UniformityInfo &uniformity;
  llvm::DenseMap<llvm::Value *, bool> known;
};

/// Copies of expression trees, each node once a map.
llvm::Value *copyTree(llvm::Value *value, llvm::IRBuilder<> &builder,
                      llvm::DenseMap<llvm::Value *, llvm::Value *> &copies);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_REMATERIALISE_H
