//===- CacheFolder.h - The folder of compiled code --------------*- C++ -*-===//
//
// Files that the processes of one user share. Each is there whole or not at
// all; together they never take more than a limit, for which the least recently
// used go first. Nothing fails for want of a cache.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_SUPPORT_CACHEFOLDER_H
#define BESSEMER_SUPPORT_CACHEFOLDER_H

#include "bessemer/result.h"

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace bessemer {

/// What the environment says: $BESSEMER_CACHE ("off" for none), else
/// $XDG_CACHE_HOME/bessemer, else ~/.cache/bessemer; at most
/// $BESSEMER_CACHE_LIMIT MiB (1024).
struct CacheSettings {
  std::filesystem::path folder;
  uint64_t limit = uint64_t(1024) << 20; ///< Bytes.
  std::string reason;                    ///< Why there is no cache; else empty.
  Status status;                         ///< A variable that makes no sense.

  static CacheSettings fromEnvironment();
};

class CacheFolder {
public:
  /// How the names of its files end; any other file is somebody else's.
  static constexpr std::string_view entrySuffix = ".entry";
  static constexpr std::string_view headerSuffix = ".pch";

  /// The folder is created, mode 0700; one that others can write or read, or
  /// that belongs to somebody else, is not used.
  CacheFolder(const std::filesystem::path &folder, uint64_t limitBytes);
  explicit CacheFolder(const CacheSettings &settings);

  bool usable() const { return whyNot.empty(); }
  const std::string &reason() const { return whyNot; }
  uint64_t limit() const { return limitBytes; }
  const std::filesystem::path &path() const { return folder; }
  std::filesystem::path path(std::string_view name) const {
    return folder / name;
  }

  /// Writes a file of these parts. A full disk is no reason to fail: then there
  /// is none, as with a file that is larger than the limit.
  void store(std::string_view name,
             std::initializer_list<std::string_view> parts);
  /// The file was used just now.
  void touch(std::string_view name) const;

  struct Contents {
    uint64_t files = 0, bytes = 0;
  };
  Contents contents() const;
  Status clear();

private:
  struct File {
    std::filesystem::path path;
    uint64_t bytes;
    std::filesystem::file_time_type used;
  };
  std::vector<File> list() const;
  bool makeRoom(uint64_t bytes);

  std::filesystem::path folder;
  uint64_t limitBytes;
  std::string whyNot;
  std::mutex mutex;
  /// Bytes written here since the folder was last looked at; all ones: never.
  uint64_t unseen = UINT64_MAX;
};

} // namespace bessemer

#endif // BESSEMER_SUPPORT_CACHEFOLDER_H
