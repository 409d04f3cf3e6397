//===- LibraryImpl.h - A compiled source ------------------------*- C++ -*-===//
#ifndef BESSEMER_API_LIBRARYIMPL_H
#define BESSEMER_API_LIBRARYIMPL_H

#include "bessemer/abi/compiler.h"
#include "bessemer/compiler.h"
#include "runtime/CpuKernel.h"
#include "runtime/DiskCache.h"
#include "runtime/cuda/CudaKernel.h"

#include <optional>

namespace bessemer {

/// Reflection at once; kernel IR and machine code when they are needed and not
/// in the cache.
struct Library::Impl final : runtime::CodeSource, runtime::cuda::PtxSource {
  Impl(std::string source, CompileOptions options)
      : source(std::move(source)), options(std::move(options)) {}
  ~Impl() override;

  /// Reflection and diagnostics, from the cache or the front end. `failure` as
  /// in bessemer::compile.
  Status open(CompileFailure *failure);
  /// The kernel IR.
  Result<bsm_ir_library *> ir();

  Result<std::string> object(std::string_view kernel,
                             const runtime::Specialisation &form) override;
  Result<std::string> ptx(std::string_view kernel,
                          const runtime::Specialisation &form,
                          std::string_view architecture) override;
  Result<std::string> emit(std::string_view kernel, std::string_view form,
                           const runtime::Specialisation &target);
  /// NVPTX code: "ptx", "llvm" or "ir".
  Result<std::string> emitNvidia(std::string_view kernel,
                                 std::string_view architecture,
                                 std::string_view form,
                                 const runtime::Specialisation &target);
  /// Everybody's one CpuKernel of that name, so that each body is made once.
  Result<runtime::CpuKernel *> kernel(std::string_view name);
  /// The same on a GPU.
  Result<runtime::cuda::CudaKernel *>
  kernel(std::string_view name,
         const std::shared_ptr<runtime::cuda::CudaDevice> &device);

  const std::string source;
  const CompileOptions options;
  Reflection reflection;
  std::vector<Diagnostic> diagnostics;

private:
  Status compile(CompileFailure *failure);
  bool takeCached();
  Status readTables(std::string_view reflectionJson,
                    std::string_view diagnosticsJson);
  /// Key of one body; nothing if what determines it is not known.
  std::optional<runtime::CacheKey>
  objectKey(std::string_view kernel, const runtime::Specialisation &form);

  /// Set if the source's text determines everything.
  std::optional<runtime::CacheKey> key;
  std::mutex mutex; ///< Guards what follows.
  const bsm_compiler_api *api = nullptr;
  bsm_ir_library *handle = nullptr;
  std::map<std::string, std::unique_ptr<runtime::CpuKernel>, std::less<>>
      kernels;
  std::map<std::pair<std::string, std::string>,
           std::unique_ptr<runtime::cuda::CudaKernel>>
      cudaKernels; ///< By device and kernel.
};

} // namespace bessemer

#endif // BESSEMER_API_LIBRARYIMPL_H
