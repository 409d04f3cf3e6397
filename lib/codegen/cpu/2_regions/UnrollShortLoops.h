//===- UnrollShortLoops.h - Where each step is special -*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_UNROLLSHORTLOOPS_H
#define BESSEMER_CODEGEN_CPU_UNROLLSHORTLOOPS_H

#include "llvm/IR/Function.h"

namespace bessemer::codegen::cpu {

/// Unrolls loops of known length where that makes more than the loop's control
/// disappear:
/// - with a shuffle, which lane each reads is then constant, and the shuffle
/// one
///   of the machine's;
/// - with a load or store of the next element each step, the accesses form a
///   group (AccessGroups.h), else they are gathers;
/// - with a barrier, if a group is one chunk, `thread < step` is a constant for
///   every lane, so that a step of a tree reduction is a few unmasked
///   operations, where in a loop each is a masked one over all lanes.
void unrollShortLoops(llvm::Function &kernel, bool oneChunk);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_UNROLLSHORTLOOPS_H
