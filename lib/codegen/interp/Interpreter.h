//===- Interpreter.h - The reference semantics of kernel IR -----*- C++ -*-===//
//
// Slow and obviously right: every thread of a threadgroup is interpreted one
// after another up to its next barrier or cross-lane operation, then the next
// round starts. What the vectoriser makes must equal it.
//
// Where lanes meet. A lane that reaches a cross-lane operation waits. When no
// lane of its simdgroup can advance, those lanes that wait at the point that
// the structured program reaches first execute together, as the active lanes,
// and go on. "First" is the order of ProgramOrder.h, through all calls on the
// stack: the lanes that execute are at the same call, in the same iteration of
// every loop, called from the same places. So the two sides of a branch and the
// iterations of a loop execute separately, and lanes are together again behind
// them. A threadgroup barrier waits in the same order: lanes that wait behind
// it without having passed it make it divergent, which is an error; so is a
// barrier that some threads reach elsewhere or in another iteration. Threads
// that have returned do not count.
//
// A thread that has executed thousands of instructions without meeting others
// lets them go on, so that it may wait for what they write.
//
// Numbers: every operation rounds once, to nearest even, in its own type;
// fast-math flags are ignored; llvm.fmuladd is fused. bsm.* math is computed in
// double and rounded once. Reductions are xor trees with the distances 16, 8,
// 4, 2, 1; float prefix sums add in lane order. Integers: Evaluate.h.
//
// Memory: every access is checked (Memory.h). Threadgroup memory and variables
// start as bytes of 0xff, so that reading them uninitialised is seen.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_INTERP_INTERPRETER_H
#define BESSEMER_CODEGEN_INTERP_INTERPRETER_H

#include "bessemer/abi/launch.h"
#include "bessemer/reflection.h"
#include "bessemer/result.h"

namespace llvm {
class Module;
} // namespace llvm

namespace bessemer::codegen::interp {

constexpr uint8_t uninitialisedByte = 0xff;

struct Options {
  /// Instructions that one thread may execute before the run is given up as
  /// endless. The environment variable BESSEMER_INTERPRETER_LIMIT beats it.
  uint64_t instructionLimit = uint64_t(1) << 26;
  /// Calls on a thread's stack.
  unsigned callDepthLimit = 512;
  /// Bytes of the group's whole block, into which launch.threadgroup_offset
  /// points: the end of the last [[threadgroup(n)]] argument.
  uint32_t threadgroupBytes = 64 << 10;
};

/// Runs `kernel` of `module` over the whole grid of `launch` on the calling
/// thread. Errors name the kernel, the line, the argument and the thread; a
/// failed bsm.check_index is an ErrorKind::Fault, told to launch.services too.
Status run(const llvm::Module &module, const KernelInfo &kernel,
           const bsm_launch &launch, const Options &options = {});

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_INTERPRETER_H
