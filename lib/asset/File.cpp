//===- File.cpp - Files mapped, read and written whole --------------------===//
#include "asset/File.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

using namespace bessemer;
namespace fs = std::filesystem;

namespace {
/// Closes a file descriptor with its scope.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
};
} // namespace

std::string asset::errnoText(int code) {
  return std::generic_category().message(code);
}

static Error fileError(const fs::path &path, const char *doing, int code) {
  bool missing = code == ENOENT || code == ENOTDIR;
  return makeError(missing ? ErrorKind::NotFound : ErrorKind::InvalidArgument,
                   path.string() + ": cannot " + doing + ": " +
                       asset::errnoText(code));
}

Result<asset::MappedFile> asset::mapFile(const fs::path &path) {
  // A FIFO would be waited for.
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat status;
  if (file.fd < 0 || ::fstat(file.fd, &status) != 0)
    return fileError(path, "open", errno);
  if (!S_ISREG(status.st_mode))
    return makeError(ErrorKind::Corrupt,
                     path.string() + ": is not a regular file");
  size_t size = status.st_size;
  if (size == 0) // mmap refuses an empty range
    return MappedFile{};
  void *address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (address == MAP_FAILED)
    return fileError(path, "map", errno);
  return MappedFile{
      {static_cast<const char *>(address), size},
      std::shared_ptr<void>(address, [size](void *p) { ::munmap(p, size); })};
}

Status asset::writeFile(const fs::path &path, std::string_view bytes,
                        Flush flush) {
  Descriptor file{
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
  if (file.fd < 0)
    return fileError(path, "create", errno);
  while (!bytes.empty()) {
    ssize_t written = ::write(file.fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return fileError(path, "write", errno);
    bytes.remove_prefix(written);
  }
  if (flush == Flush::ToDevice && ::fsync(file.fd) != 0)
    return fileError(path, "write", errno);
  return {};
}

Status asset::syncDirectory(const fs::path &path) {
  Descriptor directory{
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (directory.fd < 0 || ::fsync(directory.fd) != 0)
    return fileError(path, "flush", errno);
  return {};
}

Status asset::renameOver(const fs::path &from, const fs::path &to) {
  // A directory that is not empty cannot be renamed over: exchange the two.
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                  RENAME_NOREPLACE) == 0)
    return {};
  if (errno == EEXIST && ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD,
                                     to.c_str(), RENAME_EXCHANGE) == 0)
    return {};
  if (errno != EINVAL && errno != ENOSYS)
    return fileError(to, "rename the new asset to this name", errno);
  // A file system without those flags: a moment without either is left.
  std::error_code failure;
  fs::path aside = from;
  aside += ".old";
  fs::rename(to, aside, failure); // fails if there is none, which is fine
  fs::rename(from, to, failure);
  if (failure)
    return fileError(to, "rename the new asset to this name", failure.value());
  fs::rename(aside, from, failure);
  return {};
}
