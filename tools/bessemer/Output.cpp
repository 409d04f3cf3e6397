//===- Output.cpp - What the program writes -------------------------------===//
#include "Output.h"

#include "Verbs.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

using namespace bessemer;
namespace fs = std::filesystem;

void cli::prepareOutput() {
  std::signal(SIGXFSZ, SIG_IGN);
  // A folder: nothing can be read from it or written to it, by any name.
  for (int descriptor : {0, 1, 2})
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      ::open("/", O_PATH | O_DIRECTORY);
}

int cli::finishOutput(int status) {
  errno = 0;
  std::cout.flush();
  bool isWritten =
      std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout.good();
  int code = errno;
  if (isWritten)
    return status;
  int lost = report(makeError(
      ErrorKind::InvalidArgument,
      "standard output cannot be written" +
          (code ? ": " + std::string(std::strerror(code)) : std::string())));
  return status == Done ? lost : status;
}

bool cli::isSameFile(const std::string &a, const std::string &b) {
  std::error_code failure;
  return fs::equivalent(a, b, failure) && !failure;
}

/// "/dev/stdout" and the like, which lead to what is open already.
static bool isDescriptor(std::string_view path) {
  return path.starts_with("/dev/std") || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/");
}

bool cli::isKept(const std::string &path) {
  if (isDescriptor(path))
    return false;
  std::error_code failure;
  fs::file_status status = fs::status(path, failure);
  return !fs::exists(status) || fs::is_regular_file(status);
}

static bool writeAll(int descriptor,
                     std::initializer_list<std::string_view> parts) {
  for (std::string_view part : parts)
    while (!part.empty()) {
      ssize_t written = ::write(descriptor, part.data(), part.size());
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return false;
      part.remove_prefix(written);
    }
  return true;
}

/// Opens a new file beside `target` that has its mode; -1 if that cannot be.
static int openStaging(const fs::path &target, std::string &staging) {
  staging = (target.parent_path() / ".bessemer-XXXXXX").string();
  int descriptor = ::mkostemp(staging.data(), O_CLOEXEC);
  if (descriptor < 0)
    return -1;
  struct stat old;
  mode_t mask = ::umask(0);
  ::umask(mask);
  bool isOld = ::stat(target.c_str(), &old) == 0;
  ::fchmod(descriptor, isOld ? old.st_mode & 07777 : 0666 & ~mask);
  return descriptor;
}

Status cli::writeFile(const std::string &path,
                      std::initializer_list<std::string_view> parts) {
  auto failed = [&](int code) {
    return makeError(ErrorKind::InvalidArgument,
                     "cannot write '" + path + "': " + std::strerror(code));
  };
  std::error_code failure;
  fs::path target = fs::canonical(path, failure); // Links stay links.
  bool isNew = bool(failure) && !fs::is_symlink(path, failure);
  if (isNew)
    target = path;
  bool isReplaceable =
      isNew || (isKept(path) && ::access(target.c_str(), W_OK) == 0);
  std::string staging;
  int descriptor = isReplaceable ? openStaging(target, staging) : -1;
  bool isStaged = descriptor >= 0;
  if (!isStaged) { // A device, or a folder that takes no new file.
    int old = isDescriptor(path) ? O_APPEND : O_TRUNC;
    descriptor =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | old, 0666);
  }
  if (descriptor < 0)
    return failed(errno);
  int code = writeAll(descriptor, parts) ? 0 : errno;
  if (::close(descriptor) != 0 && !code)
    code = errno;
  if (isStaged && !code && ::rename(staging.c_str(), target.c_str()) != 0)
    code = errno;
  if (isStaged && code)
    ::unlink(staging.c_str());
  return code ? failed(code) : Status();
}
