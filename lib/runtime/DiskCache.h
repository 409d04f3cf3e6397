//===- DiskCache.h - Compiled code between processes ------------*- C++ -*-===//
//
// Entries are files named by a SHA-256 of everything that determines them,
// checksummed, written by rename, removed least recently used first. Any
// number of threads and processes may share the folder; a damaged entry is
// none. Nothing fails for want of a cache.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_RUNTIME_DISKCACHE_H
#define BESSEMER_RUNTIME_DISKCACHE_H

#include "bessemer/process.h"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace bessemer::runtime {

/// Collects what determines an entry. Parts are told apart: ("ab", "c") is not
/// ("a", "bc").
class CacheKey {
public:
  explicit CacheKey(std::string_view kind) { add(kind); }
  CacheKey &add(std::string_view part);
  CacheKey &add(uint64_t number);
  /// The name of the entry: 64 hexadecimal digits.
  std::string name() const;

private:
  std::string parts;
};

class DiskCache {
public:
  /// The folder is created, mode 0700; one that others can write or read, or
  /// that belongs to somebody else, is not used.
  DiskCache(const std::filesystem::path &folder, uint64_t limitBytes);

  /// $BESSEMER_CACHE ("off" for none), else $XDG_CACHE_HOME/bessemer, else
  /// ~/.cache/bessemer; at most $BESSEMER_CACHE_LIMIT MiB (1024).
  static DiskCache &ofProcess();

  std::optional<std::string> get(const CacheKey &key);
  void put(const CacheKey &key, std::string_view bytes);
  CacheStatistics statistics();
  Status clear();

private:
  bool usable() const { return reason.empty(); }
  std::filesystem::path fileOf(const CacheKey &key) const;
  void evictIfFull(uint64_t added);
  void evict();

  std::filesystem::path folder;
  uint64_t limit;
  std::string reason; ///< Why it is not used.
  std::atomic<uint64_t> hits{0}, misses{0};
  std::mutex mutex;
  /// Bytes in the folder, as far as this process knows; all ones: unknown.
  uint64_t knownBytes = UINT64_MAX;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_DISKCACHE_H
