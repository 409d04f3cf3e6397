//===- Faults.h - Fault signals in compiled code as errors ------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_FAULTS_H
#define BESSEMER_RUNTIME_FAULTS_H

#include "runtime/FunctionRef.h"

#include <cstdint>

namespace bessemer::runtime {

/// A signal that compiled code raised.
struct Fault {
  int signal = 0; ///< 0 = none.
  uintptr_t address = 0;
};

/// Makes sure that our handlers are installed; others (a debugger hook, a
/// crash reporter) may have replaced them since. Cheap: once a dispatch.
void installFaultHandlers();

/// Runs `code`, which must own nothing that a jump out of it would leak, and
/// returns the fault it died of. Faults outside `runGuarded` go to whoever
/// handled them before.
Fault runGuarded(FunctionRef<void()> code);

/// "invalid memory access (SIGSEGV)".
const char *describeSignal(int signal);

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_FAULTS_H
