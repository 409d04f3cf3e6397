//===- CloseLoops.h - Loops whose braces mean something ---------*- C++ -*-===//
//
// Lanes of a simdgroup run in step, and what a loop's braces hold in the source
// runs while lanes are in the loop. Two kinds of code can tell:
//
//   while (!done)                                  // waits for other lanes
//     if (atomic_exchange(lock, 1) == 0) { work(); unlock(); done = true; }
//
//   while (true) {                                 // lanes take part in turns
//     int first = simd_broadcast_first(key);
//     if (key == first) { count = simd_sum(1); break; }
//   }
//
// To a CPU optimiser work() and unlock(), and the block in front of the
// `break`, stand behind the loop: control never returns from them. There they
// would run after all lanes have left the loop: never, or with the lanes of all
// turns. So it is with `while (!done)` and `done = true` in place of `break`,
// since an optimiser sees that this lane is done.
//
// So such loops are closed: what stands in the braces, also in front of a
// `break` or `return`, goes on to one block, the latch, which alone leaves or
// repeats the loop, and which a call that must not be duplicated keeps in one
// piece until structurisation.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_COMMON_CLOSELOOPS_H
#define BESSEMER_CODEGEN_COMMON_CLOSELOOPS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace bessemer::codegen {

/// `void bsm.reconverge(i32 reasons)` in the latch of a closed loop: internal
/// to the code generators.
constexpr const char *reconvergeIntrinsic = "bsm.reconverge";

/// Bits that say why a loop is closed.
enum CloseReason : unsigned {
  Waits = 1, ///< It has atomic or volatile accesses.
  Lanes = 2, ///< A cross-lane operation stands in front of a way out, or in a
             ///< branch of a loop whose steps are not counted (Counting.h).
};

/// Closes the loops of `module` for which a reason of `reasons` may hold.
/// Before anything has been simplified: the order of blocks tells what stands
/// in a loop's braces.
void closeLoops(llvm::Module &module, unsigned reasons);

/// With everything inlined: forgets the reasons that do not hold, and the loops
/// for which none does.
void openOtherLoops(llvm::Function &kernel);

/// The calls, in the order of blocks.
llvm::SmallVector<llvm::Instruction *> reconvergences(llvm::Function &function);
/// Whether `reconvergence` keeps a loop that waits.
bool isWaiting(const llvm::Instruction &reconvergence);

/// Whether a loop waits for what other threads do: for a lock, a turn, a flag.
/// Not one that repeats a compare and exchange with a value that it computes
/// from the old one.
bool hasLocks(llvm::Function &function);

/// From here on nothing may move code between a loop and what is behind it.
void removeReconvergences(llvm::Function &function);

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_COMMON_CLOSELOOPS_H
