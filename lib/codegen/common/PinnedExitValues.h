//===- PinnedExitValues.h - Divergence at loop exits ------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_COMMON_PINNEDEXITVALUES_H
#define BESSEMER_CODEGEN_COMMON_PINNEDEXITVALUES_H

#include "llvm/IR/Function.h"
#include "llvm/IR/ValueHandle.h"

namespace bessemer::codegen {

/// LLVM's uniformity analysis takes a phi behind a loop for uniform if none of
/// its operands is computed in the loop, although threads that leave by
/// different edges hold different ones (`1` where the loop ends, `2` at a
/// `break`). While this object lives, the operands are computed in the loop, by
/// a `freeze` where they leave it.
class PinnedExitValues {
public:
  explicit PinnedExitValues(llvm::Function &function);
  ~PinnedExitValues();

private:
  llvm::SmallVector<llvm::WeakVH> pins;
};

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_COMMON_PINNEDEXITVALUES_H
