//===- Library.cpp - Compiling Metal source -------------------------------===//
#include "api/LibraryImpl.h"

#include "api/Abi.h"
#include "api/CodeCache.h"
#include "api/CompilerLoader.h"

#include <cstdlib>
#include <filesystem>

using namespace bessemer;
using namespace bessemer::api;

namespace {
/// CompileOptions in the C layout; points into them.
struct RawOptions {
  explicit RawOptions(const CompileOptions &options) {
    for (const std::string &dir : options.includeDirs)
      includeDirs.push_back(text(dir));
    for (const auto &[name, value] : options.defines)
      defines.push_back({text(name), text(value)});
    for (auto [index, bits] : options.functionConstants)
      constants.push_back({index, bits});
    raw = {text(options.fileName),
           options.firstLine,
           static_cast<uint32_t>(options.math),
           text(options.language),
           includeDirs.data(),
           includeDirs.size(),
           defines.data(),
           defines.size(),
           constants.data(),
           constants.size()};
  }
  std::vector<bsm_text> includeDirs;
  std::vector<bsm_define> defines;
  std::vector<bsm_constant> constants;
  bsm_compile_options raw;
};
} // namespace

Library::Impl::~Impl() {
  runtime::ForkSection section;
  if (handle)
    api->release_library(handle);
}

Status Library::Impl::readTables(std::string_view reflectionJson,
                                 std::string_view diagnosticsJson) {
  Result<Reflection> parsedReflection = reflectionFromJson(reflectionJson);
  if (!parsedReflection)
    return parsedReflection.error();
  Result<std::vector<Diagnostic>> parsedDiagnostics =
      diagnosticsFromJson(diagnosticsJson);
  if (!parsedDiagnostics)
    return parsedDiagnostics.error();
  reflection = std::move(*parsedReflection);
  diagnostics = std::move(*parsedDiagnostics);
  return {};
}

/// A cached front end result: the length of the reflection, both tables.
bool Library::Impl::takeCached() {
  std::optional<std::string> entry = runtime::DiskCache::ofProcess().get(*key);
  size_t separator = entry ? entry->find('\n') : std::string::npos;
  if (separator == std::string::npos)
    return false;
  std::string_view tables = std::string_view(*entry).substr(separator + 1);
  size_t length = std::strtoull(entry->c_str(), nullptr, 10);
  return length <= tables.size() &&
         readTables(tables.substr(0, length), tables.substr(length));
}

/// Clang passes over folders that are none.
static Status checkFolders(const std::vector<std::string> &folders) {
  for (const std::string &folder : folders) {
    std::error_code failure;
    if (!std::filesystem::is_directory(folder, failure))
      return makeError(ErrorKind::InvalidArgument,
                       "'" + folder + "', given for #include, is no folder");
  }
  return {};
}

Status Library::Impl::open(CompileFailure *failure) {
  runtime::ForkSection section;
  if (const Status &cache = runtime::DiskCache::ofProcess().status(); !cache)
    return cache;
  if (Status status = checkFolders(options.includeDirs); !status)
    return status;
  if (isSelfContained(source, options))
    key = sourceKey(source, options);
  if (key && takeCached())
    return {};
  std::lock_guard lock(mutex);
  return compile(failure);
}

/// Runs the front end; `mutex` is held.
Status Library::Impl::compile(CompileFailure *failure) {
  Result<const bsm_compiler_api *> table = compiler();
  if (!table)
    return table.error();
  api = *table;
  RawOptions raw(options);
  OwnedString reflectionJson(*api), diagnosticsJson(*api), message(*api);
  bsm_status code =
      api->compile_source(text(source), &raw.raw, &handle, reflectionJson.out(),
                          diagnosticsJson.out(), message.out());
  if (Status status = statusFrom(code, message); !status) {
    handle = nullptr;
    Result<std::vector<Diagnostic>> list =
        diagnosticsFromJson(diagnosticsJson.view());
    if (failure)
      *failure = {status.error(), list ? *list : std::vector<Diagnostic>()};
    return status;
  }
  // The tables are read once: others may be looking at them.
  if (reflection.kernels.empty())
    if (Status status =
            readTables(reflectionJson.view(), diagnosticsJson.view());
        !status)
      return status;
  if (key)
    runtime::DiskCache::ofProcess().put(
        *key, std::to_string(reflectionJson.view().size()) + "\n" +
                  std::string(reflectionJson.view()) +
                  std::string(diagnosticsJson.view()));
  return {};
}

Result<bsm_ir_library *> Library::Impl::ir() {
  runtime::ForkSection section;
  std::lock_guard lock(mutex);
  if (!handle)
    if (Status status = compile(nullptr); !status)
      return status.error();
  return handle;
}

std::optional<runtime::CacheKey>
Library::Impl::objectKey(std::string_view kernel,
                         const runtime::Specialisation &form) {
  runtime::CacheKey objectKey("object");
  if (key) {
    objectKey.add(key->name());
  } else {
    // The kernel IR stands for the text of all the files it came from.
    Result<std::string> compilerId = compilerBuildId();
    Result<std::string> ir = emit(kernel, "ir", {});
    if (!compilerId || !ir)
      return std::nullopt;
    objectKey.add(*compilerId).add(*ir);
  }
  objectKey.add(kernel).add(cpuIdentity());
  for (uint32_t extent : form.group)
    objectKey.add(extent);
  objectKey.add(form.completeGroups);
  return objectKey;
}

static bsm_cpu_options rawOptions(const runtime::Specialisation &form) {
  auto [x, y, z] = form.group;
  return {{x, y, z}, form.completeGroups};
}

Result<std::string> Library::Impl::object(std::string_view kernel,
                                          const runtime::Specialisation &form) {
  runtime::ForkSection section;
  runtime::DiskCache &cache = runtime::DiskCache::ofProcess();
  std::optional<runtime::CacheKey> name = objectKey(kernel, form);
  if (name)
    if (std::optional<std::string> cached = cache.get(*name))
      return std::move(*cached);
  Result<bsm_ir_library *> library = ir();
  if (!library)
    return library.error();
  bsm_cpu_options options = rawOptions(form);
  Result<std::string> made = callForString(
      *api, &bsm_compiler_api::generate_cpu, *library, text(kernel), &options);
  if (made && name)
    cache.put(*name, *made);
  return made;
}

Result<std::string> Library::Impl::emit(std::string_view kernel,
                                        std::string_view form,
                                        const runtime::Specialisation &target) {
  Result<bsm_ir_library *> library = ir();
  if (!library)
    return library.error();
  bsm_cpu_options options = rawOptions(target);
  return callForString(*api, &bsm_compiler_api::emit, *library, text(kernel),
                       &options, text(form));
}

Result<std::string>
Library::Impl::emitNvidia(std::string_view kernel,
                          std::string_view architecture, std::string_view form,
                          const runtime::Specialisation &target) {
  Result<bsm_ir_library *> library = ir();
  if (!library)
    return library.error();
  auto [x, y, z] = target.group;
  bsm_nvidia_options options{
      {x, y, z}, target.completeGroups, text(architecture), text(form)};
  return callForString(*api, &bsm_compiler_api::generate_nvidia, *library,
                       text(kernel), &options);
}

Result<std::string> Library::Impl::ptx(std::string_view kernel,
                                       const runtime::Specialisation &form,
                                       std::string_view architecture) {
  return emitNvidia(kernel, architecture, "ptx", form);
}

static Error unknownKernel(const Reflection &reflection,
                           std::string_view name) {
  std::string known;
  for (const KernelInfo &info : reflection.kernels)
    known += (known.empty() ? "" : ", ") + info.name;
  return makeError(ErrorKind::NotFound,
                   "no kernel named '" + std::string(name) +
                       "'; there is: " + (known.empty() ? "none" : known));
}

Result<runtime::CpuKernel *> Library::Impl::kernel(std::string_view name) {
  const KernelInfo *info = reflection.find(name);
  if (!info)
    return unknownKernel(reflection, name);
  runtime::ForkSection section;
  std::lock_guard lock(mutex);
  std::unique_ptr<runtime::CpuKernel> &slot = kernels[info->name];
  if (!slot)
    slot = std::make_unique<runtime::CpuKernel>(*info, *this);
  return slot.get();
}

Result<runtime::cuda::CudaKernel *> Library::Impl::kernel(
    std::string_view name,
    const std::shared_ptr<runtime::cuda::CudaDevice> &device) {
  const KernelInfo *info = reflection.find(name);
  if (!info)
    return unknownKernel(reflection, name);
  runtime::ForkSection section;
  std::lock_guard lock(mutex);
  auto &slot = cudaKernels[{device->name(), info->name}];
  if (!slot)
    slot = std::make_unique<runtime::cuda::CudaKernel>(*info, *this, device);
  return slot.get();
}

const Reflection &Library::reflection() const { return impl->reflection; }

const std::vector<Diagnostic> &Library::diagnostics() const {
  return impl->diagnostics;
}

Result<std::string> Library::emit(std::string_view kernel,
                                  std::string_view form,
                                  std::array<uint32_t, 3> groupSize,
                                  std::string_view target,
                                  bool completeGroups) const {
  if (!impl->reflection.find(kernel))
    return unknownKernel(impl->reflection, kernel);
  constexpr std::string_view nvidia = "nvidia:";
  if (target.starts_with(nvidia))
    return impl->emitNvidia(kernel, target.substr(nvidia.size()), form,
                            {groupSize, completeGroups});
  if (target != "cpu")
    return makeError(ErrorKind::InvalidArgument,
                     "unknown target '" + std::string(target) +
                         "'; choose cpu or nvidia:ARCHITECTURE, such as "
                         "nvidia:sm_90");
  return impl->emit(kernel, form, {groupSize, completeGroups});
}

Result<Library> bessemer::compile(std::string_view source,
                                  const CompileOptions &options,
                                  CompileFailure *failure) {
  auto impl = std::make_shared<Library::Impl>(std::string(source), options);
  if (Status status = impl->open(failure); !status) {
    if (failure)
      failure->error = status.error();
    return status.error();
  }
  return Library(std::move(impl));
}
