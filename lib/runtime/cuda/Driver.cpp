//===- Driver.cpp - The CUDA driver, loaded when it is needed -------------===//
#include "runtime/cuda/Driver.h"

#include <dlfcn.h>
#include <optional>

using namespace bessemer;
using namespace bessemer::runtime::cuda;

static constexpr const char libraryName[] = "libcuda.so.1";
/// CUDA_ERROR_NO_DEVICE
static constexpr Code noDevice = 100;

static Error unavailable(const std::string &why) {
  return makeError(ErrorKind::Unsupported, "no NVIDIA GPU can be used: " + why);
}

static Result<Driver> load() {
  // RTLD_LOCAL: its symbols are ours alone. It is never closed.
  void *library = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return unavailable(std::string("the driver's library cannot be loaded (") +
                       (reason ? reason : libraryName) +
                       "); install NVIDIA's driver");
  }
  Driver driver;
#define CUDA_FUNCTION(name, symbol, ...)                                       \
  driver.name =                                                                \
      reinterpret_cast<decltype(driver.name)>(dlsym(library, symbol));         \
  if (!driver.name)                                                            \
    return unavailable("the driver has no function " symbol                    \
                       "; install a newer driver");
#include "runtime/cuda/Functions.def"
  if (Code code = driver.init(0); code == noDevice)
    return unavailable("there is a driver, but no GPU that it can see");
  else if (Status status = driver.check(code, "starting the driver"); !status)
    return unavailable(status.error().message);
  return driver;
}

Result<const Driver *> Driver::get() {
  static const Result<Driver> driver = load();
  if (!driver)
    return driver.error();
  return &*driver;
}

Status Driver::check(Code code, const std::string &doing) const {
  if (code == 0)
    return {};
  const char *name = nullptr, *text = nullptr;
  getErrorName(code, &name);
  getErrorString(code, &text);
  return makeError(ErrorKind::Fault,
                   doing + " failed: " + (text ? text : "unknown error") +
                       " (" + (name ? name : "CUDA") + ", " +
                       std::to_string(code) + ")");
}
