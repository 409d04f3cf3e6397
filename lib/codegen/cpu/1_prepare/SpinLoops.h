//===- SpinLoops.h - Loops in which lanes wait for each other ---*- C++ -*-===//
//
// Lanes of a simdgroup run in step. With
//
//   while (!done)
//     if (atomic_exchange(lock, 1) == 0) { work(); unlock(); done = true; }
//
// the lane that holds the lock must get to unlock() while the others are still
// in the loop. A CPU optimiser sees that `done = true` leaves the loop, and
// moves work() and unlock() behind it; there they would run after all lanes
// have left the loop, which is never.
//
// So a loop whose end depends on an atomic or volatile access is closed: what
// stands in its braces in the source, also in front of a `break` or `return`,
// goes on to one block, the latch, which alone leaves or repeats the loop, and
// which a call that must not be duplicated keeps in one piece.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_SPINLOOPS_H
#define BESSEMER_CODEGEN_CPU_SPINLOOPS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace bessemer::codegen::cpu {

/// Closes every loop of `module` that may reach an atomic or volatile access.
/// Before anything has been simplified: the order of blocks tells what stands
/// in a loop's braces.
void closeSpinLoops(llvm::Module &module);

/// With everything inlined: forgets the loops that do not wait for anything.
void openOtherLoops(llvm::Function &kernel);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_SPINLOOPS_H
