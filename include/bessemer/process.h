//===- process.h - Version, cache and interruption --------------*- C++ -*-===//
//
// What concerns the whole process: the library's version, the cache of
// compiled code on disk, and how a long dispatch learns of Ctrl-C.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_PROCESS_H
#define BESSEMER_PROCESS_H

#include "bessemer/export.h"
#include "bessemer/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace bessemer {

/// "0.1.0".
BESSEMER_API std::string_view version();

struct CacheStatistics {
  std::string directory; ///< Empty: no cache is used; `reason` says why.
  std::string reason;
  uint64_t entries = 0, bytes = 0; ///< On disk now.
  uint64_t limit = 0;              ///< Bytes it may grow to.
  uint64_t hits = 0, misses = 0;   ///< Of this process.
};
BESSEMER_API CacheStatistics cacheStatistics();
/// Removes every entry.
BESSEMER_API Status clearCache();

/// Asked a few times a second, on the thread that dispatches, while compiled
/// code runs (if need be from a signal handler that interrupts it; it may do
/// what any function may). True stops the work, in the middle of a threadgroup
/// if one takes long, with an Error of kind Interrupted. Null removes the
/// check.
using InterruptCheck = bool (*)();
BESSEMER_API void setInterruptCheck(InterruptCheck check);

} // namespace bessemer

#endif // BESSEMER_PROCESS_H
