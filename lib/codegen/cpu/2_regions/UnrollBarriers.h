//===- UnrollBarriers.h - Tree reductions step by step ----------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_UNROLLBARRIERS_H
#define BESSEMER_CODEGEN_CPU_UNROLLBARRIERS_H

#include "llvm/IR/Function.h"

namespace bessemer::codegen::cpu {

/// Unrolls loops of known length that contain a barrier. For groups of one
/// chunk: `thread < step` is then a constant for every lane, so that a step of
/// a tree reduction is a few unmasked operations, where in a loop each is a
/// masked one over all lanes.
void unrollBarrierLoops(llvm::Function &kernel);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_UNROLLBARRIERS_H
