//===- Interpreter.h - The reference semantics of kernel IR -----*- C++ -*-===//
//
// Slow and obviously right: every thread of a threadgroup is interpreted one
// after another up to its next barrier or cross-lane operation, then the next
// round starts. What the vectoriser makes must equal it.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_INTERP_INTERPRETER_H
#define BESSEMER_CODEGEN_INTERP_INTERPRETER_H

#include "bessemer/abi/launch.h"
#include "bessemer/reflection.h"
#include "bessemer/result.h"

namespace llvm {
class Module;
}

namespace bessemer::codegen::interp {

/// Runs `kernel` of `module` over the whole grid of `launch` on the calling
/// thread. Dynamic threadgroup memory sizes come from `launch`.
Status run(const llvm::Module &module, const KernelInfo &kernel,
           const bsm_launch &launch);

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_INTERPRETER_H
