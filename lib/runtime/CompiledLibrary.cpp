//===- CompiledLibrary.cpp - A kernel library in memory -------------------===//
#include "runtime/CompiledLibrary.h"

#include "runtime/Fork.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace bessemer;
using namespace bessemer::runtime;

static Error loadError(const std::string &what) {
  return makeError(ErrorKind::Internal,
                   "compiled kernel code cannot be loaded: " + what);
}

/// A path of the descriptor that no other library was loaded by: the loader
/// takes a known path for a loaded library, and descriptor numbers are reused.
/// The serial number's bits are spelt as "/" and "/.".
static std::string uniquePath(int descriptor) {
  static std::atomic<uint64_t> serial{0};
  std::string path = "/proc/self/fd";
  for (uint64_t bits = ++serial; bits; bits >>= 1)
    path += bits & 1 ? "/." : "/";
  return path + "/" + std::to_string(descriptor);
}

static bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes.remove_prefix(written);
  }
  return true;
}

Result<std::shared_ptr<CompiledLibrary>>
CompiledLibrary::load(std::string_view object) {
  ForkSection section; // The loader has locks.
  int descriptor = ::memfd_create("bessemer-kernel", MFD_CLOEXEC);
  if (descriptor < 0 || !writeAll(descriptor, object)) {
    int code = errno;
    if (descriptor >= 0)
      ::close(descriptor);
    return loadError(std::strerror(code));
  }
  void *handle =
      ::dlopen(uniquePath(descriptor).c_str(), RTLD_NOW | RTLD_LOCAL);
  ::close(descriptor);
  if (!handle)
    return loadError(::dlerror());
  auto *library =
      static_cast<const bsm_library *>(::dlsym(handle, "bsm_library"));
  std::string problem;
  if (!library || library->magic != BSM_LIBRARY_MAGIC)
    problem = "it has no valid bsm_library record";
  else if (library->launch_version != BSM_LAUNCH_VERSION)
    problem = "it was made for launch version " +
              std::to_string(library->launch_version) + ", this build has " +
              std::to_string(BSM_LAUNCH_VERSION) + "; compile it again";
  if (!problem.empty()) {
    ::dlclose(handle);
    return loadError(problem);
  }
  return std::shared_ptr<CompiledLibrary>(new CompiledLibrary(handle, library));
}

CompiledLibrary::~CompiledLibrary() {
  ForkSection section;
  ::dlclose(handle);
}

const bsm_kernel *CompiledLibrary::find(std::string_view name) const {
  for (uint32_t i = 0; i < library->kernel_count; ++i)
    if (library->kernels[i].name == name)
      return &library->kernels[i];
  return nullptr;
}
