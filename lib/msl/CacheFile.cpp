//===- CacheFile.cpp - The front end's files in the cache -----------------===//
#include "msl/CacheFile.h"

#include "support/CacheFolder.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace bessemer;

static constexpr size_t checksumSize = 8;

static CacheFolder &folderOfProcess() {
  // Never destroyed: threads may compile during static destruction.
  static CacheFolder &folder =
      *new CacheFolder(CacheSettings::fromEnvironment());
  return folder;
}

static std::string checksum(llvm::StringRef content) {
  char bytes[checksumSize];
  llvm::support::endian::write64le(bytes, llvm::xxh3_64bits(content));
  return std::string(bytes, checksumSize);
}

static std::string fileName(llvm::StringRef name) {
  return (name + llvm::StringRef(CacheFolder::headerSuffix)).str();
}

std::optional<std::string> msl::readCacheFile(llvm::StringRef name) {
  CacheFolder &folder = folderOfProcess();
  if (!folder.usable())
    return std::nullopt;
  std::string path = folder.path(fileName(name)).native();
  // A FIFO or a device would be read without an end.
  if (!llvm::sys::fs::is_regular_file(path))
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file || (*file)->getBufferSize() < checksumSize)
    return std::nullopt;
  llvm::StringRef content = (*file)->getBuffer().drop_back(checksumSize);
  if (checksum(content) != (*file)->getBuffer().take_back(checksumSize))
    return std::nullopt;
  folder.touch(fileName(name));
  return content.str();
}

void msl::writeCacheFile(llvm::StringRef name, llvm::StringRef content) {
  folderOfProcess().store(
      fileName(name), {{content.data(), content.size()}, checksum(content)});
}
