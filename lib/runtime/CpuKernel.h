//===- CpuKernel.h - The compiled bodies of one kernel ----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_CPUKERNEL_H
#define BESSEMER_RUNTIME_CPUKERNEL_H

#include "bessemer/reflection.h"
#include "runtime/CompiledLibrary.h"

#include <map>
#include <mutex>

namespace bessemer::runtime {

using GroupShape = std::array<uint32_t, 3>;

/// Where machine code comes from: the compiler half, a cache, a file.
class CodeSource {
public:
  virtual ~CodeSource() = default;
  /// An ELF shared object with the body of `kernel` for `group`.
  virtual Result<std::string> object(std::string_view kernel,
                                     const GroupShape &group) = 0;
};

/// One body for each threadgroup shape, made on its first use. Which body runs
/// depends on the shape alone, never on timing: results would too.
class CpuKernel {
public:
  /// `code` must outlive the kernel.
  CpuKernel(KernelInfo info, CodeSource &code)
      : theInfo(std::move(info)), code(code) {}

  const KernelInfo &info() const { return theInfo; }
  /// The body for `group`; lives as long as this kernel. Thread-safe; one
  /// shape is compiled once, different ones side by side.
  Result<const bsm_kernel *> body(const GroupShape &group);

private:
  struct Body {
    std::mutex mutex; ///< Held while it is compiled.
    std::shared_ptr<CompiledLibrary> library;
    const bsm_kernel *kernel = nullptr;
  };
  Status compile(Body &body, const GroupShape &group);

  KernelInfo theInfo;
  CodeSource &code;
  std::mutex mutex;
  std::map<GroupShape, std::unique_ptr<Body>> bodies;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_CPUKERNEL_H
