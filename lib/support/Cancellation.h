//===- Cancellation.h - Work that its user no longer wants ------*- C++ -*-===//
#ifndef BESSEMER_SUPPORT_CANCELLATION_H
#define BESSEMER_SUPPORT_CANCELLATION_H

#include <atomic>

namespace bessemer {

/// Whether the user has asked to stop the work of this thread (Ctrl-C). Long
/// work asks now and then and ends with an Error of kind Interrupted; what it
/// says does not matter.
bool isCancelled();

/// While it lives, `flag` tells isCancelled() of this thread.
class CancellationScope {
public:
  explicit CancellationScope(const std::atomic<bool> &flag);
  ~CancellationScope();

private:
  const std::atomic<bool> *outer;
};

} // namespace bessemer

#endif // BESSEMER_SUPPORT_CANCELLATION_H
