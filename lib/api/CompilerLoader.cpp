//===- CompilerLoader.cpp - The compiler half on demand -------------------===//
#include "api/CompilerLoader.h"

#include "api/ElfBuildId.h"
#include "asset/File.h"
#include "runtime/Fork.h"
#include "runtime/Interrupt.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <unistd.h>

using namespace bessemer;

static constexpr const char *libraryName = "libbessemer-compiler.so";

std::string api::compilerPath() {
  if (const char *path = std::getenv("BESSEMER_COMPILER"); path && *path)
    return path;
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&api::compilerPath), &info) ||
      !info.dli_fname)
    return libraryName;
  return (std::filesystem::path(info.dli_fname).parent_path() / libraryName)
      .string();
}

static Error loadError(const std::string &path, const std::string &what) {
  return makeError(ErrorKind::Unsupported,
                   "the compiler cannot be loaded from " + path + ": " + what +
                       "; install " + libraryName +
                       " beside libbessemer.so or name it in "
                       "BESSEMER_COMPILER");
}

static Result<const bsm_compiler_api *> load() {
  std::string path = api::compilerPath();
  // LOCAL: its LLVM must not mix with another one in the process.
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return loadError(path, dlerror());
  auto entry = reinterpret_cast<bsm_compiler_entry_fn>(
      dlsym(handle, "bsm_compiler_entry"));
  const bsm_compiler_api *table = entry ? entry() : nullptr;
  if (!table || table->abi != BSM_COMPILER_ABI) {
    std::string found = table ? "it belongs to another version of Bessemer"
                              : "it has no bsm_compiler_entry";
    dlclose(handle);
    return loadError(path, found);
  }
  return table;
}

/// Signals reach the main thread alone; others need not ask.
static int32_t askForInterrupt() {
  if (gettid() != getpid())
    return 0;
  // The answer may need Python's lock, and whoever forks holds that.
  runtime::ForkPause pause;
  return runtime::isInterruptRequested();
}

Result<const bsm_compiler_api *> api::compiler() {
  runtime::ForkSection section;
  static std::mutex mutex;
  static const bsm_compiler_api *table = nullptr;
  std::lock_guard lock(mutex);
  if (table)
    return table;
  Result<const bsm_compiler_api *> loaded = load();
  if (!loaded)
    return loaded;
  table = *loaded;
  table->set_interrupt_check(askForInterrupt);
  return table;
}

Result<std::string> api::compilerBuildId() {
  runtime::ForkSection section;
  static std::mutex mutex;
  static std::string knownPath, knownId;
  std::string path = compilerPath();
  std::lock_guard lock(mutex);
  if (path == knownPath)
    return knownId;
  Result<asset::MappedFile> file = asset::mapFile(path);
  if (!file)
    return loadError(path, file.error().message);
  std::string id = elfBuildId(file->bytes);
  if (id.empty())
    return loadError(path, "it has no build id");
  knownPath = path;
  knownId = id;
  return id;
}
