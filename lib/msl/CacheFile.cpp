//===- CacheFile.cpp - Files that only this user's builds share -----------===//
#include "msl/CacheFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace bessemer;

static constexpr size_t checksumSize = 8;

/// The same as runtime::DiskCache::ofProcess has; empty for none.
static std::string cacheFolder() {
  using llvm::sys::Process;
  if (auto folder = Process::GetEnv("BESSEMER_CACHE");
      folder && !folder->empty())
    return *folder == "off" ? std::string() : *folder;
  // The XDG specification: relative paths are to be ignored.
  auto absolute = [](const char *variable) -> std::optional<std::string> {
    auto folder = Process::GetEnv(variable);
    return folder && llvm::sys::path::is_absolute(*folder) ? folder
                                                           : std::nullopt;
  };
  llvm::SmallString<128> path;
  if (auto base = absolute("XDG_CACHE_HOME"))
    path = *base;
  else if (auto home = absolute("HOME"))
    llvm::sys::path::append(path, *home, ".cache");
  else
    return {};
  llvm::sys::path::append(path, "bessemer");
  return path.str().str();
}

/// Whether the folder is ours alone: another user could plant files in it.
static bool isPrivate(const std::string &folder) {
  struct stat status;
  return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid() && (status.st_mode & 022) == 0;
}

static std::string checksum(llvm::StringRef content) {
  char bytes[checksumSize];
  llvm::support::endian::write64le(bytes, llvm::xxh3_64bits(content));
  return std::string(bytes, checksumSize);
}

static std::string filePath(const std::string &folder, llvm::StringRef name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

std::optional<std::string> msl::readCacheFile(llvm::StringRef name) {
  std::string folder = cacheFolder();
  if (folder.empty() || !isPrivate(folder))
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(filePath(folder, name),
                                          /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file || (*file)->getBufferSize() < checksumSize)
    return std::nullopt;
  llvm::StringRef content = (*file)->getBuffer().drop_back(checksumSize);
  if (checksum(content) != (*file)->getBuffer().take_back(checksumSize))
    return std::nullopt;
  return content.str();
}

void msl::writeCacheFile(llvm::StringRef name, llvm::StringRef content) {
  namespace fs = llvm::sys::fs;
  std::string folder = cacheFolder();
  if (folder.empty() ||
      fs::create_directories(folder, /*IgnoreExisting=*/true,
                             fs::perms::owner_all) ||
      !isPrivate(folder))
    return;
  std::string path = filePath(folder, name);
  llvm::consumeError(llvm::writeToOutput(path, [&](llvm::raw_ostream &out) {
    out << content << checksum(content);
    return llvm::Error::success();
  }));
}
