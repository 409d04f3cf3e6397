//===- Region.h - What the stages of CPU code generation share --*- C++ -*-===//
//
// The path of a kernel, one folder a stage:
//
//   1_prepare     kernel IR -> one optimised scalar function of one thread
//   2_regions     cut at barriers: one scalar function per region
//   3_structurise divergent control flow becomes one-armed ifs and loops
//   4_shapes      which values are uniform, linear in the lane, varying
//   5_emit        region -> body: the same for W lanes at once
//   6_cleanup     the optimisations that pay after emission
//   7_object      the group loop around the bodies, machine code, linking
//
// A *region function* is scalar: what one thread does between two barriers.
// Type: void (one ptr per kernel argument, then the parameters below). All
// pointers are of address space 0; there are no vectors, switches, unexpanded
// memory intrinsics nor calls to functions with a body. Loads from constant
// memory are !invariant.load.
//
// A *body* does the same for the `lanesInFlight` threads of one chunk. It has
// the region's parameters and returns i32: BSM_RUN_DONE or BSM_RUN_FAULT.
// Lane l of a chunk is thread `first` + l of the group (first is a multiple of
// W; 0 if the group is one chunk).
//
// Everything uniform is IR over the parameters by the time a region exists.
// What differs between lanes remains a call in a region:
//
//   bsm.thread_index_in_threadgroup       first + l, in every lane layout
//   bsm.thread_position_in_threadgroup.*  only in LaneLayout::Position and
//                                         only if the group has that dimension
//                                         and is not one row (then: the index)
//   bsm.thread_index_in_simdgroup         l % 32
//   bsm.simdgroup_index_in_threadgroup    first / 32 + l / 32
//   bsm.cpu.private   see below
//   bsm.shuffle.b32, bsm.ballot, bsm.simd_*, math, bsm.check_index
//   bsm.threadgroup_barrier, bsm.simdgroup_barrier: in a region only an
//                                         ordering point of memory
//
// A region ends by storing the number of the region that follows to the first
// word of the context and returning; a store of a uniform value to a uniform
// address by whichever lanes are active, so lanes that have returned from the
// kernel do not vote. Values that live across a barrier are plain loads and
// stores at context + offset + thread index * size, uniform ones at one slot
// per chunk.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_REGION_H
#define BESSEMER_CODEGEN_CPU_REGION_H

#include "bessemer/reflection.h"
#include "bessemer/result.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

#include <array>
#include <vector>

namespace llvm {
class CallInst;
class TargetMachine;
} // namespace llvm

namespace bessemer::codegen::cpu {

/// How the threads of a group are laid out on lanes.
enum class LaneLayout {
  /// Thread t is at (t % GX, t / GX % GY, t / (GX * GY)) of the constant shape,
  /// also in a partial group, whose missing threads are masked out. Positions
  /// are tables of constants. In a partial group the index is then not Metal's,
  /// so only for groups that are complete or kernels that ignore the index.
  Position,
  /// Thread t is the t-th of the actual group; positions are divisions by its
  /// run-time size. Serves every shape, and the edge groups of kernels that use
  /// the index, simdgroups or lanes (Metal numbers the threads present).
  Index,
};

/// Which lanes of a chunk are active on entry of a body.
enum class EntryMask {
  All,      ///< Every lane.
  Position, ///< Position (of the constant shape) < actual, in each dimension.
  Index,    ///< Thread index < product of actual.
};

/// What a body gives up for being less code, of which compile time is made.
enum class CodeSize {
  Any,     ///< Nothing.
  Compact, ///< Lanes at unrelated addresses take turns in loops, if they must;
           ///< there are no lines for profilers.
  Least,   ///< And there are no versions for the case that all lanes are on.
};

struct RegionOptions {
  std::array<uint32_t, 3> group{0, 0, 0}; ///< {0,0,0} = not known.
  LaneLayout layout = LaneLayout::Position;
  unsigned partLanes = 8; ///< PW: lanes of one part, at most 32.
  unsigned lanesInFlight =
      64; ///< W: lanes of a chunk, a multiple of 32 and PW.
  /// What is written from front to back goes past the caches (Streams.h).
  bool streaming = false;
  CodeSize size = CodeSize::Any; ///< If the body does not become too large.

  bool anyShape() const { return group[0] == 0; }
  unsigned threads() const { return group[0] * group[1] * group[2]; }
  /// Threads for which the context has room; a multiple of W.
  unsigned paddedThreads() const;
  /// Chunks of a complete group; 0 if only known at run time.
  unsigned chunks() const;
  unsigned parts() const { return lanesInFlight / partLanes; }
  /// A chunk is one simdgroup, so what is uniform in it is uniform here.
  bool oneSimdgroup() const { return lanesInFlight == 32; }
};

/// The parameters behind the kernel's arguments, of region functions and
/// bodies.
struct RegionParameters {
  enum Number {
    Launch,      ///< const bsm_launch *, invariant during a run.
    Threadgroup, ///< bsm_worker::threadgroup_memory; noalias in bodies.
    Context,     ///< bsm_worker::context, noalias.
    GroupX,      ///< i32 position of the group in the grid of groups.
    GroupY,
    GroupZ,
    First,   ///< i32 index of the chunk's first thread.
    ActualX, ///< i32 size of this group; less than the shape at edges.
    ActualY,
    ActualZ,
    Count
  };
  /// Also for bodies, whose parameters are the same.
  static llvm::Argument *get(llvm::Function &region, Number parameter) {
    return region.getArg(region.arg_size() - Count + parameter);
  }
};

/// `ptr bsm.cpu.private(i32 offset, i32 bytes, i32 element, i1 kept)`: `bytes`
/// in the context. The chunk's blocks begin at offset + first * bytes and
/// survive barriers if `kept`, else at offset. element != 0: every access in
/// any region has that size, and element e of lane l lies at (e * W + l) *
/// element; element = 0: lane l's bytes lie together at l * bytes.
constexpr const char *privateIntrinsic = "bsm.cpu.private";

/// Bytes of every access to the private memory that `base` (an alloca or a call
/// to bsm.cpu.private) gives, if all are the same and the address goes nowhere
/// else; 0 otherwise. Decides between the two layouts above.
unsigned privateElementSize(const llvm::Instruction &base);

/// 1_prepare: the kernel's function gets a region's parameters and loses its
/// callees; attributes are still calls, so it serves every lane layout.
Result<llvm::Function *> prepareKernel(llvm::Module &module,
                                       const KernelInfo &kernel);

/// A copy of `prepared` for the group shape and lane layout of `options`,
/// optimised, still with its barriers.
Result<llvm::Function *> specialise(llvm::Function &prepared,
                                    const RegionOptions &options);

/// 2_regions. Region 0 is the entry.
struct RegionSet {
  std::vector<llvm::Function *> regions;
  uint64_t contextBytes = 64;
};
/// Consumes `kernel`, the result of specialise. Without barriers, and if
/// the group is one chunk, `kernel` itself is the only region.
Result<RegionSet> cutRegions(llvm::Function &kernel,
                             const RegionOptions &options);

/// 3_structurise, in place. `analyses` is SpmdAnalyses::functions (SpmdTTI.h)
/// of the same options, here and below.
Status structurise(llvm::Function &region, const RegionOptions &options,
                   llvm::FunctionAnalysisManager &analyses);

/// 4_shapes and 5_emit: adds an internal function to the module; the
/// structurised region stays as it is (it is emitted again with another mask).
Result<llvm::Function *> emitBody(llvm::Function &region, EntryMask mask,
                                  const RegionOptions &options,
                                  llvm::FunctionAnalysisManager &analyses,
                                  llvm::TargetMachine &target);

/// 6_cleanup, over the finished and valid module.
Status cleanUp(llvm::Module &module, llvm::TargetMachine &target);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_REGION_H
