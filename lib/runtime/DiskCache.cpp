//===- DiskCache.cpp - Compiled code between processes --------------------===//
#include "runtime/DiskCache.h"

#include "asset/Asset.h"
#include "asset/File.h"
#include "runtime/Fork.h"

#include <array>
#include <cstring>

using namespace bessemer;
using namespace bessemer::runtime;
namespace fs = std::filesystem;

/// An entry: this, the SHA-256 of the payload, the payload.
static constexpr std::string_view entryMagic = "BSMCACHE1";
static constexpr size_t headerBytes = entryMagic.size() + 32;

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

DiskCache::DiskCache(const fs::path &path, uint64_t limitBytes)
    : folder(path, limitBytes) {}

DiskCache::DiskCache(const CacheSettings &settings)
    : folder(settings), configured(settings.status) {}

DiskCache &DiskCache::ofProcess() {
  // Never destroyed: threads may compile during static destruction.
  static DiskCache &cache = *new DiskCache(CacheSettings::fromEnvironment());
  return cache;
}

static std::string fileOf(const CacheKey &key) {
  return key.name() + std::string(CacheFolder::entrySuffix);
}

std::optional<std::string> DiskCache::get(const CacheKey &key) {
  if (!folder.usable())
    return std::nullopt;
  std::string name = fileOf(key);
  Result<asset::MappedFile> file = asset::mapFile(folder.path(name));
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
  folder.touch(name);
  return std::string(payload);
}

void DiskCache::put(const CacheKey &key, std::string_view bytes) {
  // Not flushed: the checksum tells if a power failure cut an entry short.
  std::array<uint8_t, 32> digest = asset::sha256(bytes);
  folder.store(fileOf(key),
               {entryMagic,
                {reinterpret_cast<const char *>(digest.data()), digest.size()},
                bytes});
}

CacheStatistics DiskCache::statistics() {
  CacheStatistics result;
  result.reason = folder.reason();
  result.limit = folder.limit();
  result.hits = hits;
  result.misses = misses;
  if (!folder.usable())
    return result;
  CacheFolder::Contents contents = folder.contents();
  result.directory = folder.path().string();
  result.entries = contents.files;
  result.bytes = contents.bytes;
  return result;
}

Status DiskCache::clear() {
  if (!configured)
    return configured;
  return folder.usable() ? folder.clear() : Status();
}

CacheStatistics bessemer::cacheStatistics() {
  ForkSection section;
  return DiskCache::ofProcess().statistics();
}

Status bessemer::clearCache() {
  ForkSection section;
  return DiskCache::ofProcess().clear();
}
