//===- Scheduler.h - The rounds of one threadgroup --------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_INTERP_SCHEDULER_H
#define BESSEMER_CODEGEN_INTERP_SCHEDULER_H

#include "codegen/interp/Thread.h"

namespace bessemer::codegen::interp {

/// Runs one threadgroup to its end. False after an error.
bool runThreadgroup(Machine &machine, const llvm::Function &kernel,
                    const std::vector<Leaves> &arguments,
                    const GroupShape &shape);

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_SCHEDULER_H
