//===- Link.cpp - Object to shared object, in process ---------------------===//
//
// lld reads and writes files only; they are anonymous memory files here, named
// through /proc.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/Compile.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

class MemoryFile {
public:
  explicit MemoryFile(const char *name)
      : descriptor(memfd_create(name, MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (descriptor >= 0)
      close(descriptor);
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  bool valid() const { return descriptor >= 0; }
  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }

  bool write(const std::string &content) {
    size_t done = 0;
    while (done < content.size()) {
      ssize_t written =
          ::write(descriptor, content.data() + done, content.size() - done);
      if (written <= 0)
        return false;
      done += written;
    }
    return true;
  }

  bool read(std::string &content) {
    struct stat status;
    if (fstat(descriptor, &status) || !status.st_size)
      return false;
    content.resize(status.st_size);
    return pread(descriptor, content.data(), content.size(), 0) ==
           static_cast<ssize_t>(content.size());
  }

private:
  int descriptor;
};

} // namespace

Result<std::string> linkShared(const std::string &object) {
  // lld keeps its state in globals.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  MemoryFile input("bessemer-object"), output("bessemer-library");
  if (!input.valid() || !output.valid() || !input.write(object))
    return makeError(ErrorKind::Internal,
                     "cannot create memory files for the linker");
  std::string in = input.path(), out = output.path(), messages;
  raw_string_ostream stream(messages);
  const char *arguments[] = {"ld.lld",
                             "-shared",
                             "--no-undefined",
                             "--threads=1",
                             "--build-id=none",
                             "-znow",
                             "--no-mmap-output-file",
                             "-soname=kernel.so",
                             in.c_str(),
                             "-o",
                             out.c_str()};
  bool linked = lld::elf::link(arguments, stream, stream,
                               /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  std::string library;
  if (!linked || !output.read(library))
    return makeError(ErrorKind::Internal,
                     "linking a kernel failed: " + messages);
  return library;
}

} // namespace bessemer::codegen::cpu
