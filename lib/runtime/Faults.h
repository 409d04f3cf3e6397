//===- Faults.h - Fault signals in compiled code as errors ------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_FAULTS_H
#define BESSEMER_RUNTIME_FAULTS_H

#include "runtime/FunctionRef.h"

#include <csignal>
#include <cstdint>

namespace bessemer::runtime {

/// A signal that compiled code raised, or left at.
struct Fault {
  int signal = 0; ///< 0 = none.
  uintptr_t address = 0;
};

/// Sent to a thread of this process, it makes compiled code that runs there ask
/// whether to leave. Elsewhere it does nothing: by default it is ignored, and
/// debuggers pass it on in silence.
inline constexpr int leaveSignal = SIGURG;

/// Makes sure that its handler is installed; for the sender.
void installLeaveHandler();

/// Makes sure that our handlers are installed; others (a debugger hook, a
/// crash reporter) may have replaced them since. Cheap: once a dispatch.
void installFaultHandlers();

/// Runs `code`, which must own nothing that a jump out of it would leak, and
/// returns the fault it died of. Faults outside `runGuarded` go to whoever
/// handled them before.
///
/// At a leaveSignal `shouldLeave` is called in the middle of `code`; if it
/// answers true, `code` is abandoned there, with the signal as its fault. It
/// may do what any function may: compiled code holds no locks and is in no
/// library function, except in an OutsideCompiledCode.
Fault runGuarded(FunctionRef<void()> code, FunctionRef<bool()> shouldLeave);

/// For functions that compiled code calls: while one lives, signals are not
/// taken for the compiled code's.
class OutsideCompiledCode {
public:
  OutsideCompiledCode();
  ~OutsideCompiledCode();
  OutsideCompiledCode(const OutsideCompiledCode &) = delete;
  OutsideCompiledCode &operator=(const OutsideCompiledCode &) = delete;

private:
  void *landing;
};

/// "invalid memory access (SIGSEGV)".
const char *describeSignal(int signal);

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_FAULTS_H
