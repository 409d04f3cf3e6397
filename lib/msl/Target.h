//===- Target.h - The abstract machine Clang compiles for -------*- C++ -*-===//
#ifndef BESSEMER_MSL_TARGET_H
#define BESSEMER_MSL_TARGET_H

#include "clang/Basic/TargetInfo.h"

namespace bessemer::msl {

/// An architecture for which Clang has no calling convention of its own: its
/// default is one IR parameter per source parameter, scalars directly and
/// classes by pointer. The kernel entries rely on it.
inline constexpr char kernelTriple[] = "tcele-unknown-unknown";

/// The target of kernel IR: 64-bit pointers, Metal's address spaces, no
/// machine features. `base` is the target of `kernelTriple`.
llvm::IntrusiveRefCntPtr<clang::TargetInfo>
createKernelTarget(const clang::TargetInfo &base);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_TARGET_H
