//===- CacheFolder.cpp - The folder of compiled code ----------------------===//
#include "support/CacheFolder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace bessemer;
namespace fs = std::filesystem;

static constexpr std::string_view stagingSuffix = ".tmp";

/// Why the folder cannot be used; empty if it can.
static std::string prepare(const fs::path &folder) {
  std::error_code failure;
  fs::create_directories(folder.parent_path(), failure);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return folder.string() +
           " cannot be created: " + std::generic_category().message(errno);
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

CacheFolder::CacheFolder(const fs::path &folder, uint64_t limitBytes)
    : folder(folder), limitBytes(limitBytes), whyNot(prepare(folder)) {}

CacheFolder::CacheFolder(const CacheSettings &settings)
    : folder(settings.folder), limitBytes(settings.limit),
      whyNot(settings.reason.empty() ? prepare(folder) : settings.reason) {}

/// Its files; leftovers of processes that died while writing are removed.
std::vector<CacheFolder::File> CacheFolder::list() const {
  std::vector<File> files;
  std::error_code failure;
  auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    std::error_code gone; // by another process
    File file{it->path(), fs::file_size(it->path(), gone),
              fs::last_write_time(it->path(), gone)};
    if (gone)
      continue;
    fs::path suffix = file.path.extension();
    if (suffix == entrySuffix || suffix == headerSuffix)
      files.push_back(std::move(file));
    else if (suffix == stagingSuffix && now - file.used > std::chrono::hours(1))
      fs::remove(file.path, gone);
  }
  return files;
}

static uint64_t totalBytes(const auto &files) {
  uint64_t total = 0;
  for (const auto &file : files)
    total += file.bytes;
  return total;
}

/// Removes files until `bytes` more fit; false if they never do.
bool CacheFolder::makeRoom(uint64_t bytes) {
  if (bytes > limitBytes)
    return false;
  std::lock_guard lock(mutex);
  // What other processes write meanwhile has the last eighth to go to: each
  // looks again long before it could fill that alone.
  uint64_t most = limitBytes - limitBytes / 8;
  bool isKnown = unseen != UINT64_MAX && unseen + bytes <= limitBytes / 64;
  unseen = isKnown ? unseen + bytes : 0;
  if (isKnown)
    return true;
  std::vector<File> files = list();
  uint64_t total = totalBytes(files);
  if (total + bytes <= most)
    return true;
  std::sort(files.begin(), files.end(),
            [](const File &a, const File &b) { return a.used < b.used; });
  // Down to a little less, so that the next file does not evict again.
  uint64_t wanted = limitBytes - limitBytes / 4;
  for (const File &file : files) {
    if (total + bytes <= wanted)
      break;
    std::error_code failure;
    fs::remove(file.path, failure);
    total -= file.bytes;
  }
  return true;
}

void CacheFolder::store(std::string_view name,
                        std::initializer_list<std::string_view> parts) {
  uint64_t bytes = 0;
  for (std::string_view part : parts)
    bytes += part.size();
  if (!usable() || !makeRoom(bytes))
    return;
  static std::atomic<unsigned> serial{0};
  fs::path staging =
      path("." + std::string(name) + "." + std::to_string(::getpid()) + "." +
           std::to_string(serial++) + std::string(stagingSuffix));
  std::ofstream stream(staging, std::ios::binary);
  for (std::string_view part : parts)
    stream.write(part.data(), part.size());
  stream.close();
  std::error_code failure;
  if (stream)
    fs::rename(staging, path(name), failure);
  if (!stream || failure)
    fs::remove(staging, failure);
}

void CacheFolder::touch(std::string_view name) const {
  ::utimensat(AT_FDCWD, path(name).c_str(), nullptr, 0);
}

CacheFolder::Contents CacheFolder::contents() const {
  std::vector<File> files = list();
  return {files.size(), totalBytes(files)};
}

Status CacheFolder::clear() {
  std::lock_guard lock(mutex);
  for (const File &file : list()) {
    std::error_code failure;
    fs::remove(file.path, failure);
    if (failure)
      return makeError(ErrorKind::InvalidArgument,
                       file.path.string() +
                           ": cannot be removed: " + failure.message());
  }
  unseen = UINT64_MAX;
  return {};
}
