//===- DiskCache.cpp - Compiled code between processes --------------------===//
#include "runtime/DiskCache.h"

#include "asset/Asset.h"
#include "asset/File.h"
#include "runtime/Fork.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace bessemer;
using namespace bessemer::runtime;
namespace fs = std::filesystem;

/// An entry: this, the SHA-256 of the payload, the payload.
static constexpr std::string_view entryMagic = "BSMCACHE1";
static constexpr size_t headerBytes = entryMagic.size() + 32;
static constexpr std::string_view entrySuffix = ".entry";

CacheKey &CacheKey::add(uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8)
    parts += static_cast<char>(number >> shift);
  return *this;
}

CacheKey &CacheKey::add(std::string_view part) {
  add(uint64_t(part.size()));
  parts += part;
  return *this;
}

std::string CacheKey::name() const {
  return asset::toHex(asset::sha256(parts));
}

/// Why the folder cannot be used; empty if it can.
static std::string prepare(const fs::path &folder) {
  if (folder.empty())
    return "there is no home folder; set BESSEMER_CACHE";
  std::error_code failure;
  fs::create_directories(folder.parent_path(), failure);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return folder.string() + " cannot be created: " + asset::errnoText(errno);
  struct stat status;
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    return folder.string() + " is not a folder";
  if (status.st_uid != ::geteuid())
    return folder.string() + " belongs to another user";
  if (status.st_mode & 077)
    return folder.string() + " is open to other users; chmod 700 it";
  if (::access(folder.c_str(), R_OK | W_OK | X_OK) != 0)
    return folder.string() + " cannot be written";
  return {};
}

DiskCache::DiskCache(const fs::path &folder, uint64_t limitBytes)
    : folder(folder), limit(limitBytes), reason(prepare(folder)) {}

static fs::path folderFromEnvironment() {
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  if (fs::path own = variable("BESSEMER_CACHE"); !own.empty())
    return own;
  // The XDG specification: relative paths are to be ignored.
  if (fs::path xdg = variable("XDG_CACHE_HOME"); xdg.is_absolute())
    return xdg / "bessemer";
  fs::path home = variable("HOME");
  return home.is_absolute() ? home / ".cache" / "bessemer" : fs::path();
}

static uint64_t limitFromEnvironment() {
  const char *text = std::getenv("BESSEMER_CACHE_LIMIT");
  char *end = nullptr;
  uint64_t mebibytes = text ? std::strtoull(text, &end, 10) : 0;
  return (text && end != text && mebibytes ? mebibytes : 1024) << 20;
}

DiskCache &DiskCache::ofProcess() {
  // Never destroyed: threads may compile during static destruction.
  static DiskCache &cache = *[] {
    fs::path folder = folderFromEnvironment();
    auto *made = new DiskCache(folder == "off" ? fs::path() : folder,
                               limitFromEnvironment());
    if (folder == "off")
      made->reason = "BESSEMER_CACHE is off";
    return made;
  }();
  return cache;
}

fs::path DiskCache::fileOf(const CacheKey &key) const {
  return folder / (key.name() + std::string(entrySuffix));
}

std::optional<std::string> DiskCache::get(const CacheKey &key) {
  if (!usable())
    return std::nullopt;
  fs::path path = fileOf(key);
  Result<asset::MappedFile> file = asset::mapFile(path);
  std::string_view bytes = file ? file->bytes : std::string_view();
  if (bytes.size() < headerBytes || !bytes.starts_with(entryMagic)) {
    ++misses;
    return std::nullopt;
  }
  std::string_view payload = bytes.substr(headerBytes);
  std::array<uint8_t, 32> digest = asset::sha256(payload);
  if (std::memcmp(bytes.data() + entryMagic.size(), digest.data(),
                  digest.size()) != 0) {
    ++misses;
    return std::nullopt;
  }
  ++hits;
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0); // used just now
  return std::string(payload);
}

void DiskCache::put(const CacheKey &key, std::string_view bytes) {
  if (!usable())
    return;
  static std::atomic<unsigned> serial{0};
  fs::path staging = folder / ("." + std::to_string(::getpid()) + "." +
                               std::to_string(serial++) + ".tmp");
  std::array<uint8_t, 32> digest = asset::sha256(bytes);
  std::string entry(entryMagic);
  entry.append(reinterpret_cast<const char *>(digest.data()), digest.size());
  entry += bytes;
  // A full disk is no reason to fail: then there is no entry. Nor is one that a
  // power failure cut short, since its checksum tells.
  std::error_code failure;
  if (asset::writeFile(staging, entry, asset::Flush::No))
    fs::rename(staging, fileOf(key), failure);
  fs::remove(staging, failure);
  evictIfFull(entry.size());
}

namespace {
struct Entry {
  fs::path path;
  uint64_t bytes;
  fs::file_time_type used;
};
} // namespace

/// All entries; leftovers of processes that died while writing are removed.
static std::vector<Entry> listEntries(const fs::path &folder) {
  std::vector<Entry> entries;
  std::error_code failure;
  auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    std::error_code gone; // by another process
    Entry entry{it->path(), fs::file_size(it->path(), gone),
                fs::last_write_time(it->path(), gone)};
    if (gone)
      continue;
    if (entry.path.extension() == entrySuffix)
      entries.push_back(std::move(entry));
    else if (entry.path.extension() == ".tmp" &&
             now - entry.used > std::chrono::hours(1))
      fs::remove(entry.path, gone);
  }
  return entries;
}

static uint64_t totalBytes(const std::vector<Entry> &entries) {
  uint64_t total = 0;
  for (const Entry &entry : entries)
    total += entry.bytes;
  return total;
}

void DiskCache::evictIfFull(uint64_t added) {
  std::lock_guard lock(mutex);
  if (knownBytes == UINT64_MAX)
    knownBytes = totalBytes(listEntries(folder));
  else
    knownBytes += added;
  if (knownBytes > limit)
    evict();
}

void DiskCache::evict() {
  std::vector<Entry> entries = listEntries(folder);
  knownBytes = totalBytes(entries);
  std::sort(entries.begin(), entries.end(),
            [](const Entry &a, const Entry &b) { return a.used < b.used; });
  // Down to a little less, so that the next entry does not evict again.
  uint64_t target = limit - limit / 8;
  for (const Entry &entry : entries) {
    if (knownBytes <= target)
      break;
    std::error_code failure;
    fs::remove(entry.path, failure);
    knownBytes -= entry.bytes;
  }
}

CacheStatistics DiskCache::statistics() {
  CacheStatistics result;
  result.reason = reason;
  result.limit = limit;
  result.hits = hits;
  result.misses = misses;
  if (!usable())
    return result;
  std::vector<Entry> entries = listEntries(folder);
  result.directory = folder.string();
  result.entries = entries.size();
  result.bytes = totalBytes(entries);
  return result;
}

Status DiskCache::clear() {
  if (!usable())
    return {};
  std::lock_guard lock(mutex);
  for (const Entry &entry : listEntries(folder)) {
    std::error_code failure;
    fs::remove(entry.path, failure);
    if (failure)
      return makeError(ErrorKind::InvalidArgument,
                       entry.path.string() +
                           ": cannot be removed: " + failure.message());
  }
  knownBytes = 0;
  return {};
}

CacheStatistics bessemer::cacheStatistics() {
  ForkSection section;
  return DiskCache::ofProcess().statistics();
}

Status bessemer::clearCache() {
  ForkSection section;
  return DiskCache::ofProcess().clear();
}
