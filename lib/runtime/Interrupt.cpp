//===- Interrupt.cpp - Noticing Ctrl-C during a dispatch ------------------===//
#include "runtime/Interrupt.h"

#include "bessemer/process.h"

#include <atomic>

using namespace bessemer;
using namespace bessemer::runtime;

static std::atomic<InterruptCheck> theCheck{nullptr};

void bessemer::setInterruptCheck(InterruptCheck check) {
  theCheck.store(check);
}

bool bessemer::runtime::isInterruptRequested() {
  InterruptCheck check = theCheck.load(std::memory_order_relaxed);
  return check && check();
}

bool InterruptPoll::requested() {
  InterruptCheck check = theCheck.load(std::memory_order_relaxed);
  if (!check)
    return false;
  Clock::time_point now = Clock::now();
  if (now - last < std::chrono::milliseconds(50))
    return false;
  last = now;
  return check();
}
