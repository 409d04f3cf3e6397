//===- CacheFile.h - The front end's files in the cache ---------*- C++ -*-===//
#ifndef BESSEMER_MSL_CACHEFILE_H
#define BESSEMER_MSL_CACHEFILE_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace bessemer::msl {

/// The content of `name` in the cache folder, if it is there and whole.
std::optional<std::string> readCacheFile(llvm::StringRef name);

/// Writes `name`, whole or not at all: the cache is only ever a saving of time.
void writeCacheFile(llvm::StringRef name, llvm::StringRef content);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_CACHEFILE_H
