//===- BarrierVote.h - Which barrier the lanes wait at ----------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_BARRIERVOTE_H
#define BESSEMER_CODEGEN_CPU_BARRIERVOTE_H

#include "llvm/IR/IRBuilder.h"

namespace bessemer::codegen::cpu {

/// The first words of a worker's context, by which lanes tell the driver where
/// they wait.
namespace vote {
constexpr unsigned region = 0;   ///< Number of the region that follows.
constexpr unsigned conflict = 4; ///< Not 0 if other lanes wait elsewhere.
constexpr uint32_t nobody = ~0u; ///< For `region`: all lanes have returned.
} // namespace vote

/// Votes for `region`. Lanes that wait at another barrier, which Metal leaves
/// undefined, are noticed here: going on would read values that they have never
/// computed.
void emitVote(llvm::IRBuilderBase &builder, llvm::Value *context,
              uint32_t region);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_BARRIERVOTE_H
