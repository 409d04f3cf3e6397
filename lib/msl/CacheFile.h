//===- CacheFile.h - Files that only this user's builds share ---*- C++ -*-===//
#ifndef BESSEMER_MSL_CACHEFILE_H
#define BESSEMER_MSL_CACHEFILE_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace bessemer::msl {

/// The content of `name` in the cache folder ($BESSEMER_CACHE, else
/// $XDG_CACHE_HOME/bessemer, else ~/.cache/bessemer), if it is there, whole,
/// and the folder belongs to this user alone.
std::optional<std::string> readCacheFile(llvm::StringRef name);

/// Writes `name`, atomically. Without a usable folder nothing is written: the
/// cache is only ever a saving of time.
void writeCacheFile(llvm::StringRef name, llvm::StringRef content);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_CACHEFILE_H
