//===- CpuKernel.h - The compiled bodies of one kernel ----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_CPUKERNEL_H
#define BESSEMER_RUNTIME_CPUKERNEL_H

#include "bessemer/reflection.h"
#include "runtime/CompiledLibrary.h"
#include "runtime/Specialisation.h"

#include <atomic>
#include <map>
#include <mutex>

namespace bessemer::runtime {

/// Where machine code comes from: the compiler half, a cache, a file.
class CodeSource {
public:
  virtual ~CodeSource() = default;
  /// An ELF shared object with the body of `kernel` for `form`.
  virtual Result<std::string> object(std::string_view kernel,
                                     const Specialisation &form) = 0;
};

/// One body for each threadgroup shape and, if all groups of a grid are
/// complete, a smaller one that serves such grids only. Each is made on its
/// first use. All give the same results, bit for bit.
class CpuKernel {
public:
  /// `code` must outlive the kernel.
  CpuKernel(KernelInfo info, CodeSource &code)
      : theInfo(std::move(info)), code(code) {}

  const KernelInfo &info() const { return theInfo; }
  /// A body that serves `form`; lives as long as this kernel. Thread-safe; one
  /// form is compiled once, different ones side by side.
  Result<const bsm_kernel *> body(const Specialisation &form);

private:
  struct Body {
    std::mutex mutex; ///< Held while it is compiled.
    std::shared_ptr<CompiledLibrary> library;
    std::atomic<const bsm_kernel *> kernel{nullptr};
  };
  Body &bodyFor(const Specialisation &form);
  Status compile(Body &body, const Specialisation &form);

  KernelInfo theInfo;
  CodeSource &code;
  std::mutex mutex;
  std::map<Specialisation, std::unique_ptr<Body>> bodies;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_CPUKERNEL_H
