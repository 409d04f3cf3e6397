//===- CompiledLibrary.h - A kernel library in memory -----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_COMPILEDLIBRARY_H
#define BESSEMER_RUNTIME_COMPILEDLIBRARY_H

#include "bessemer/abi/launch.h"
#include "bessemer/result.h"

#include <memory>
#include <string_view>

namespace bessemer::runtime {

/// An ELF shared object with one `bsm_library`, loaded from memory by the
/// system's loader (so debuggers and profilers see it). Unloads when destroyed.
class CompiledLibrary {
public:
  static Result<std::shared_ptr<CompiledLibrary>> load(std::string_view object);
  ~CompiledLibrary();
  CompiledLibrary(const CompiledLibrary &) = delete;
  CompiledLibrary &operator=(const CompiledLibrary &) = delete;

  /// Null if the library has no such kernel.
  const bsm_kernel *find(std::string_view name) const;

private:
  CompiledLibrary(void *handle, const bsm_library *library)
      : handle(handle), library(library) {}
  void *handle;
  const bsm_library *library;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_COMPILEDLIBRARY_H
