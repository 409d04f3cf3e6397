//===- KernelIR.h - From Clang's module to kernel IR ------------*- C++ -*-===//
#ifndef BESSEMER_MSL_KERNELIR_H
#define BESSEMER_MSL_KERNELIR_H

#include "bessemer/result.h"
#include "msl/Reflection.h"

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace bessemer::msl {

/// Turns every kernel function into `void @host_name(arguments)`: one IR
/// parameter per reflected argument, thread attributes as bsm.* calls.
Status makeKernelEntries(llvm::Module &module,
                         const std::vector<KernelRecord> &kernels);

/// Puts the values of program-scope variables with thread attributes into the
/// functions that read them.
void setAttributeVariables(llvm::Module &module,
                           const std::vector<AttributeVariable> &variables);

/// Gives integer operations the values kernel IR promises where LLVM has
/// undefined ones: division by zero, overflowing division, wide shifts.
void makeIntegersTotal(llvm::Module &module);

/// Traps become failed checks of no tensor: faults of the dispatch.
void reportTraps(llvm::Module &module);

/// Library functions lose their debug information (calls keep the user's
/// line), everything but kernels becomes internal, attributes of machines and
/// of Clang go, bsm.* functions get theirs from the table.
void normaliseFunctions(llvm::Module &module);

/// Fills in what a kernel uses: barriers, simdgroup functions, threadgroup
/// memory.
void findKernelUses(const llvm::Module &module, KernelInfo &kernel);

/// Fills in what kernels do with the memory of their arguments.
void findArgumentAccess(const llvm::Module &module,
                        llvm::MutableArrayRef<KernelInfo> kernels);

/// Names the function constants that a kernel uses without a value, with
/// commas.
inline constexpr const char undefinedAttribute[] = "bsm.undefined_constants";

/// Marks a kernel entry.
inline constexpr const char kernelAttribute[] = "bsm.kernel";

} // namespace bessemer::msl

#endif // BESSEMER_MSL_KERNELIR_H
