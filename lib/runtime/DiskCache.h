//===- DiskCache.h - Compiled code between processes ------------*- C++ -*-===//
//
// Entries are files named by a SHA-256 of everything that determines them, and
// checksummed. Any number of threads and processes may share the folder; a
// damaged entry is none.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_RUNTIME_DISKCACHE_H
#define BESSEMER_RUNTIME_DISKCACHE_H

#include "bessemer/process.h"
#include "support/CacheFolder.h"

#include <atomic>
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
  DiskCache(const std::filesystem::path &path, uint64_t limitBytes);
  explicit DiskCache(const CacheSettings &settings);

  /// As the environment says.
  static DiskCache &ofProcess();
  /// The error of an environment variable that makes no sense.
  const Status &status() const { return configured; }

  std::optional<std::string> get(const CacheKey &key);
  void put(const CacheKey &key, std::string_view bytes);
  CacheStatistics statistics();
  Status clear();

private:
  CacheFolder folder;
  Status configured;
  std::atomic<uint64_t> hits{0}, misses{0};
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_DISKCACHE_H
