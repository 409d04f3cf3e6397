//===- Scheduler.h - The order of instructions in a block -------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_SCHEDULER_H
#define BESSEMER_CODEGEN_CPU_SCHEDULER_H

namespace bessemer::codegen::cpu {

/// Sets how LLVM orders the instructions of a block, for the whole process.
/// Only command line options lead there. It is their default that changes: lld
/// sets all options back to theirs.
void configureScheduler();

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_SCHEDULER_H
