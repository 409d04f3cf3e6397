//===- Link.cpp - Object to shared object, in process ---------------------===//
//
// lld reads and writes files only. They live for the length of a link in a
// folder of their own, in memory where the system has such a place.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/Compile.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>
#include <stdlib.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// A new folder of mode 0700 that goes with its content.
class ScratchFolder {
public:
  explicit ScratchFolder(const std::string &parent)
      : path(parent + "/bessemer-link-XXXXXX") {
    if (!mkdtemp(path.data()))
      path.clear();
  }
  ~ScratchFolder() {
    if (!path.empty())
      sys::fs::remove_directories(path);
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  bool valid() const { return !path.empty(); }
  std::string file(const char *name) const { return path + "/" + name; }

private:
  std::string path;
};

bool writeFile(const std::string &path, const std::string &content) {
  std::error_code code;
  raw_fd_ostream stream(path, code);
  if (code)
    return false;
  stream << content;
  stream.close();
  bool written = !stream.has_error();
  stream.clear_error();
  return written;
}

/// Whether the object and what becomes of it fit: lld maps its output, and a
/// disk that is full when it is written to ends the process.
bool hasRoom(const ScratchFolder &folder, const std::string &object) {
  ErrorOr<sys::fs::space_info> space = sys::fs::disk_space(folder.file("."));
  return space && space->available >= 4 * object.size() + (64 << 10);
}

Result<std::string> linkIn(const ScratchFolder &folder,
                           const std::string &object) {
  std::string in = folder.file("kernel.o"), out = folder.file("kernel.so");
  if (!folder.valid() || !hasRoom(folder, object) || !writeFile(in, object))
    return makeError(ErrorKind::Internal,
                     "cannot write a kernel for the linker to /dev/shm or the "
                     "temporary folder; free some space there");
  std::string messages;
  raw_string_ostream stream(messages);
  const char *arguments[] = {"ld.lld",
                             "-shared",
                             "--no-undefined",
                             "--threads=1",
                             "--build-id=none",
                             "-znow",
                             "-soname=kernel.so",
                             in.c_str(),
                             "-o",
                             out.c_str()};
  bool linked = lld::elf::link(arguments, stream, stream,
                               /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  auto library = MemoryBuffer::getFile(out);
  if (!linked || !library)
    return makeError(ErrorKind::Internal,
                     "linking a kernel failed: " + messages);
  return (*library)->getBuffer().str();
}

} // namespace

Result<std::string> linkShared(const std::string &object) {
  // lld keeps its state in globals.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  SmallString<128> temporary;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, temporary);
  // Memory first: a container's is often small, and may be full.
  Result<std::string> library = linkIn(ScratchFolder("/dev/shm"), object);
  return library ? library
                 : linkIn(ScratchFolder(temporary.str().str()), object);
}

} // namespace bessemer::codegen::cpu
