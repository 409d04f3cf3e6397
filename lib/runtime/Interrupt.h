//===- Interrupt.h - Noticing Ctrl-C during a dispatch ----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_INTERRUPT_H
#define BESSEMER_RUNTIME_INTERRUPT_H

#include <chrono>

namespace bessemer::runtime {

/// Asks the application's InterruptCheck (process.h) at most every
/// 50 milliseconds. For one dispatch, on the thread that dispatches.
class InterruptPoll {
public:
  bool requested();

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
};

/// What the application's InterruptCheck says now; false without one.
bool isInterruptRequested();

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_INTERRUPT_H
