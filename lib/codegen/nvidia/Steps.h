//===- Steps.h - The steps from kernel IR to NVPTX IR -----------*- C++ -*-===//
//
// In the order in which a kernel goes through them; Compile.cpp calls them.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_NVIDIA_STEPS_H
#define BESSEMER_CODEGEN_NVIDIA_STEPS_H

#include "codegen/nvidia/Compile.h"

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace bessemer::codegen::nvidia {

/// Keeps the kernel and what it calls, inlines every helper that is not
/// recursive, and simplifies. Returns the kernel's function.
Result<llvm::Function *> prepare(llvm::Module &module,
                                 const KernelInfo &kernel);

/// Kernel IR has one address space for constants, the GPU has two: parameters
/// and memory. Constant pointers become generic ones, from which LLVM infers
/// the space again; program-scope constants move to device memory. Returns the
/// function that replaces `kernel`.
llvm::Function *foldConstantSpace(llvm::Function &kernel);

/// Shuffles, ballots, reductions, scans and simdgroup barriers become warp
/// instructions, each under the mask of the lanes that are together there.
void lowerLanes(llvm::Function &function, const Options &options);

/// `i32 bsm.nvidia.entry_mask()`: the lanes of the simdgroup that exist.
/// lowerLanes leaves calls of it to makeEntry.
inline constexpr const char entryMaskFunction[] = "bsm.nvidia.entry_mask";

/// Gives the kernel the launch ABI (abi/cuda.h), lowers thread attributes and
/// threadgroup memory, and lets threads return that an edge group does not
/// have. Returns the entry.
Result<llvm::Function *> makeEntry(llvm::Function &kernel,
                                   const KernelInfo &info,
                                   const Options &options);

/// Barriers, subscript checks and mathematical functions. `fault`: address of
/// the launch's bsm_cuda_fault.
void lowerOperations(llvm::Function &function, llvm::Value *fault,
                     const Options &options);

/// A mathematical function in place of a call to bsm.<name>; null if the
/// hardware has no form of it that is accurate enough.
llvm::Value *emitFastMath(llvm::Value *call);

/// Divisions, square roots and conversions to integers by cheaper instructions
/// where the result may be, or is, the same.
void applyFloatRules(llvm::Function &function);

/// Atomic operations and fences order memory within the device, or within the
/// threadgroup for threadgroup memory, and not with the host.
void narrowAtomicScopes(llvm::Function &function);

/// LLVM's pipeline for the target.
void optimise(llvm::Module &module, llvm::TargetMachine &target);

} // namespace bessemer::codegen::nvidia

#endif // BESSEMER_CODEGEN_NVIDIA_STEPS_H
