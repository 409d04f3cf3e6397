//===- CompiledRun.cpp - Runs machine code of a kernel --------------------===//
#include "CompiledRun.h"
#include "codegen/interp/Interpreter.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

using namespace bessemer;
using namespace bessemer::testing;

namespace {
/// A shared object loaded from memory.
class LoadedLibrary {
public:
  explicit LoadedLibrary(const std::string &image) {
    int file = memfd_create("kernel", MFD_CLOEXEC);
    if (file >= 0 &&
        write(file, image.data(), image.size()) == ssize_t(image.size()))
      handle = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(),
                      RTLD_NOW | RTLD_LOCAL);
    if (file >= 0)
      close(file);
  }
  ~LoadedLibrary() {
    if (handle)
      dlclose(handle);
  }
  LoadedLibrary(const LoadedLibrary &) = delete;

  const bsm_library *library() const {
    void *symbol = handle ? dlsym(handle, "bsm_library") : nullptr;
    auto *found = static_cast<const bsm_library *>(symbol);
    return found && found->magic == BSM_LIBRARY_MAGIC ? found : nullptr;
  }

private:
  void *handle = nullptr;
};

struct Free {
  void operator()(void *block) const { std::free(block); }
};
using Block = std::unique_ptr<void, Free>;
} // namespace

/// As uninitialised memory looks in the interpreter.
static Block uninitialised(uint64_t bytes) {
  uint64_t size = (bytes + 64) / 64 * 64;
  Block block(std::aligned_alloc(64, size));
  std::memset(block.get(), codegen::interp::uninitialisedByte, size);
  return block;
}

Status testing::runCompiled(Setup &setup,
                            const codegen::cpu::Options &options) {
  Result<std::string> image =
      codegen::cpu::compileKernel(*setup.module, setup.kernel, options);
  if (!image)
    return image.error();
  LoadedLibrary loaded(*image);
  const bsm_library *library = loaded.library();
  if (!library || library->kernel_count == 0)
    return makeError(ErrorKind::Internal, "the compiled library does not load");
  const bsm_kernel &kernel = library->kernels[0];
  const bsm_launch &launch = setup.launch(kernel.threadgroup_bytes);
  Block threadgroup = uninitialised(setup.threadgroupBytes);
  Block context = uninitialised(kernel.context_bytes);
  bsm_worker worker{threadgroup.get(), context.get()};
  uint64_t groups = 1;
  for (uint32_t count : launch.threadgroups_per_grid)
    groups *= count;
  if (kernel.run(&launch, &worker, 0, groups) != BSM_RUN_DONE)
    return makeError(ErrorKind::Fault, "the compiled kernel faulted");
  return {};
}
