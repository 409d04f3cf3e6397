//===- SimdOps.h - Cross-lane operations ------------------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_INTERP_SIMDOPS_H
#define BESSEMER_CODEGEN_INTERP_SIMDOPS_H

#include "codegen/interp/Thread.h"

namespace bessemer::codegen::interp {

/// Executes the call that `lanes`, the active lanes of one simdgroup in
/// ascending order, wait at, and resumes them. False after an error.
bool executeCrossLane(llvm::ArrayRef<Thread *> lanes);

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_SIMDOPS_H
