//===- DispatchWatch.h - Looking after long dispatches ----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_DISPATCHWATCH_H
#define BESSEMER_RUNTIME_DISPATCHWATCH_H

#include <cstdint>

namespace bessemer::runtime {

/// While one lives, compiled code that the calling thread runs is asked to
/// leave (runGuarded) some times a second: a thread of the library's own sends
/// the signal, since this one may be in a loop that never ends.
class DispatchWatch {
public:
  DispatchWatch();
  ~DispatchWatch();
  DispatchWatch(const DispatchWatch &) = delete;
  DispatchWatch &operator=(const DispatchWatch &) = delete;

private:
  uint64_t number, outer;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_DISPATCHWATCH_H
