//===- Library.cpp - Compiling Metal source -------------------------------===//
#include "api/LibraryImpl.h"

#include "api/Abi.h"
#include "api/CompilerLoader.h"

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
  if (handle)
    api->release_library(handle);
}

Status Library::Impl::compile(CompileFailure *failure) {
  std::lock_guard lock(mutex);
  if (handle)
    return {};
  Result<const bsm_compiler_api *> table = compiler();
  if (!table)
    return table.error();
  api = *table;
  RawOptions raw(options);
  OwnedString reflectionJson(*api), diagnosticsJson(*api), message(*api);
  bsm_status code =
      api->compile_source(text(source), &raw.raw, &handle, reflectionJson.out(),
                          diagnosticsJson.out(), message.out());
  if (!diagnosticsJson.view().empty()) {
    Result<std::vector<Diagnostic>> parsed =
        diagnosticsFromJson(diagnosticsJson.view());
    if (!parsed)
      return parsed.error();
    diagnostics = std::move(*parsed);
  }
  if (Status status = statusFrom(code, message); !status) {
    if (failure)
      *failure = {status.error(), diagnostics};
    return status;
  }
  Result<Reflection> parsed = reflectionFromJson(reflectionJson.view());
  if (!parsed)
    return parsed.error();
  reflection = std::move(*parsed);
  return {};
}

Result<bsm_ir_library *> Library::Impl::ir() {
  if (Status status = compile(nullptr); !status)
    return status.error();
  return handle;
}

Result<std::string> Library::Impl::object(std::string_view kernel,
                                          const runtime::GroupShape &group) {
  Result<bsm_ir_library *> library = ir();
  if (!library)
    return library.error();
  return callForString(*api, &bsm_compiler_api::generate_cpu, *library,
                       text(kernel), group.data());
}

Result<std::string> Library::Impl::emit(std::string_view kernel,
                                        std::string_view form,
                                        const runtime::GroupShape &group) {
  Result<bsm_ir_library *> library = ir();
  if (!library)
    return library.error();
  return callForString(*api, &bsm_compiler_api::emit, *library, text(kernel),
                       group.data(), text(form));
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
  std::lock_guard lock(mutex);
  std::unique_ptr<runtime::CpuKernel> &slot = kernels[info->name];
  if (!slot)
    slot = std::make_unique<runtime::CpuKernel>(*info, *this);
  return slot.get();
}

const Reflection &Library::reflection() const { return impl->reflection; }

const std::vector<Diagnostic> &Library::diagnostics() const {
  return impl->diagnostics;
}

Result<std::string> Library::emit(std::string_view kernel,
                                  std::string_view form,
                                  std::array<uint32_t, 3> groupSize) const {
  if (!impl->reflection.find(kernel))
    return unknownKernel(impl->reflection, kernel);
  return impl->emit(kernel, form, groupSize);
}

Result<Library> bessemer::compile(std::string_view source,
                                  const CompileOptions &options,
                                  CompileFailure *failure) {
  auto impl = std::make_shared<Library::Impl>(std::string(source), options);
  if (Status status = impl->compile(failure); !status) {
    if (failure)
      failure->error = status.error();
    return status.error();
  }
  return Library(std::move(impl));
}
