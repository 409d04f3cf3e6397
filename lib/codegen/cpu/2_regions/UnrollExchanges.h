//===- UnrollExchanges.h - Reductions step by step --------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_UNROLLEXCHANGES_H
#define BESSEMER_CODEGEN_CPU_UNROLLEXCHANGES_H

#include "llvm/IR/Function.h"

namespace bessemer::codegen::cpu {

/// Unrolls loops of known length by whose steps lanes exchange values. With a
/// shuffle: which lane each reads is then constant, and the shuffle one of the
/// machine's. With a barrier, if a group is one chunk: `thread < step` is a
/// constant for every lane, so that a step of a tree reduction is a few unmasked
/// operations, where in a loop each is a masked one over all lanes.
void unrollExchanges(llvm::Function &kernel, bool oneChunk);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_UNROLLEXCHANGES_H
