//===- Prepare.h - Steps of the scalar preparation --------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_PREPARE_H
#define BESSEMER_CODEGEN_CPU_PREPARE_H

#include "codegen/cpu/Region.h"

namespace bessemer::codegen::cpu {

/// A copy of what the function `symbol` needs of `module`.
std::unique_ptr<llvm::Module> extractKernel(const llvm::Module &module,
                                            const std::string &symbol);

/// The kernel's function is not there or not defined.
Error noBody(const KernelInfo &kernel);

/// Inlines every helper into the kernel and removes everything else. An Error
/// names a call that cannot be inlined (recursion, function pointers).
Status inlineHelpers(llvm::Function &kernel);

/// Gives the kernel the signature of a region: address spaces become 0, loads
/// from constant memory !invariant.load, threadgroup memory an offset from the
/// Threadgroup parameter. Replaces and erases `kernel`.
llvm::Function *toRegionFunction(llvm::Function &kernel,
                                 const KernelInfo &info);

/// Bytes of the static threadgroup variables that the kernel still uses, a
/// multiple of 64; toRegionFunction notes them on its result.
unsigned staticThreadgroupBytes(const llvm::Function &region);

/// Thread attributes become IR over the parameters and the per-lane calls that
/// Region.h lists.
void lowerAttributes(llvm::Function &region, const RegionOptions &options);

/// simdgroup * 32 + lane is the thread index.
void foldThreadIndex(llvm::Function &region, const RegionOptions &options);

/// memcpy, memmove and memset become loads and stores, or loops of them.
void expandMemoryIntrinsics(llvm::Function &region);

/// Deletes the subscript checks that are known to hold.
void removeProvenChecks(llvm::Function &region);

/// An Error for what the stages behind this one cannot take, with the line.
Status checkRegionForm(const llvm::Function &region);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_PREPARE_H
