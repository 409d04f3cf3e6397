//===- Model.cpp - Loading and running assets -----------------------------===//
#include "api/ModelImpl.h"

#include "api/Abi.h"
#include "api/CompilerLoader.h"
#include "api/DeviceImpl.h"
#include "plan/Serialize.h"
#include "plan/SourcePlaces.h"

#include <nlohmann/json.hpp>

using namespace bessemer;
using namespace bessemer::api;
using nlohmann::json;

namespace {
/// The bytecode parsed in the compiler half.
class ParsedProgram {
public:
  static Result<std::unique_ptr<ParsedProgram>> parse(std::string_view bytes) {
    Result<const bsm_compiler_api *> table = compiler();
    if (!table)
      return table.error();
    auto program = std::make_unique<ParsedProgram>(**table);
    Status status = call(**table, &bsm_compiler_api::program_from_bytecode,
                         text(bytes), &program->handle);
    if (!status)
      return status.error();
    return program;
  }
  explicit ParsedProgram(const bsm_compiler_api &api) : api(api) {}
  ~ParsedProgram() {
    runtime::ForkSection section;
    if (handle)
      api.program_release(handle);
  }
  ParsedProgram(const ParsedProgram &) = delete;
  ParsedProgram &operator=(const ParsedProgram &) = delete;

  const bsm_compiler_api &api;
  bsm_ir_program *handle = nullptr;
};
} // namespace

template <typename Make>
Result<std::string> Model::Impl::derived(std::string_view what, Make make) {
  Result<std::string> compilerId = compilerBuildId();
  if (!compilerId)
    return compilerId.error();
  runtime::DiskCache &cache = runtime::DiskCache::ofProcess();
  if (!cache.status())
    return cache.status().error();
  runtime::CacheKey key("model");
  key.add(*compilerId).add(asset::toHex(asset.hash)).add(what);
  if (std::optional<std::string> cached = cache.get(key))
    return std::move(*cached);
  Result<std::unique_ptr<ParsedProgram>> program =
      ParsedProgram::parse(asset.bytecode);
  if (!program)
    return makeError(program.error().kind,
                     asset.path.string() + ": " + program.error().message);
  Result<std::string> made = make(**program);
  if (made)
    cache.put(key, *made);
  return made;
}

static std::vector<TensorDescriptor> descriptorsFrom(const json &list) {
  std::vector<TensorDescriptor> descriptors;
  for (const json &entry : list)
    descriptors.push_back(
        {entry.at("name").get<std::string>(),
         dtypeFromName(entry.at("dtype").get<std::string>()),
         entry.at("shape").get<std::vector<int64_t>>(),
         entry.at("extents").get<std::vector<std::string>>()});
  return descriptors;
}

static std::vector<ModelDimension> dimensionsFrom(const json &list) {
  std::vector<ModelDimension> dimensions;
  for (const json &entry : list) {
    ModelDimension dimension{entry.at("name").get<std::string>(),
                             entry.at("min").get<int64_t>(), std::nullopt};
    if (!entry.at("max").is_null())
      dimension.max = entry.at("max").get<int64_t>();
    dimensions.push_back(std::move(dimension));
  }
  return dimensions;
}

Status Model::Impl::readFunctions() {
  Result<std::string> text =
      derived("functions", [](const ParsedProgram &program) {
        return callForString(program.api, &bsm_compiler_api::program_functions,
                             program.handle);
      });
  if (!text)
    return text.error();
  try {
    for (const json &entry : json::parse(*text))
      functions.push_back({entry.at("name").get<std::string>(),
                           descriptorsFrom(entry.at("inputs")),
                           descriptorsFrom(entry.at("outputs")),
                           descriptorsFrom(entry.at("states")),
                           dimensionsFrom(entry.at("dimensions"))});
  } catch (const json::exception &e) {
    return makeError(ErrorKind::Internal,
                     asset.path.string() +
                         ": its list of functions is not valid: " + e.what());
  }
  return {};
}

Result<std::shared_ptr<Library::Impl>>
Model::Impl::library(const plan::KernelSource &source) {
  SourceKey key{source.source, source.fileName, source.math};
  std::lock_guard lock(mutex);
  if (std::shared_ptr<Library::Impl> known = libraries[key].lock())
    return known;
  CompileOptions options;
  options.fileName = source.fileName;
  options.math = static_cast<MathMode>(source.math);
  Result<Library> compiled = compile(source.source, options);
  if (!compiled)
    return compiled.error();
  libraries[key] = compiled->handle();
  return compiled->handle();
}

Result<std::shared_ptr<Function::Impl>>
Model::Impl::makeFunction(const FunctionSignature &signature) {
  Result<std::string> bytes =
      derived("plan of " + signature.name, [&](const ParsedProgram &program) {
        return callForString(program.api, &bsm_compiler_api::program_plan,
                             program.handle, text(signature.name));
      });
  if (!bytes)
    return bytes.error();
  Result<plan::Plan> plan = plan::deserialize(*bytes);
  if (!plan)
    return makeError(plan.error().kind, asset.path.string() + ", function '" +
                                            signature.name +
                                            "': " + plan.error().message);
  auto function = std::make_shared<Function::Impl>();
  function->signature = signature;
  for (const plan::KernelSource &source : plan->sources) {
    Result<std::shared_ptr<Library::Impl>> compiled = library(source);
    if (!compiled)
      return makeError(compiled.error().kind,
                       plan::inUserTerms(source, compiled.error().message));
    function->libraries.push_back(std::move(*compiled));
  }
  auto resolve = [&](uint32_t source, std::string_view name) {
    return function->libraries[source]->kernel(name);
  };
  auto executor = runtime::PlanExecutor::create(
      std::move(*plan), device, resolve, {asset.bytecode, asset.mapping});
  if (!executor)
    return executor.error();
  function->executor = std::move(*executor);
  return function;
}

Result<Model> Model::load(const std::filesystem::path &path,
                          const Device &device) {
  runtime::ForkSection section;
  Result<asset::Asset> asset = asset::open(path);
  if (!asset)
    return asset.error();
  auto impl = std::make_shared<Impl>();
  impl->asset = std::move(*asset);
  impl->device = device.handle()->cpu;
  if (!impl->device)
    return makeError(ErrorKind::Unsupported,
                     "models run on the device cpu; single kernels also run on "
                     "a GPU");
  if (Status status = impl->readFunctions(); !status)
    return status.error();
  return Model(std::move(impl));
}

const AssetMetadata &Model::metadata() const { return impl->asset.metadata; }

std::vector<std::string> Model::functionNames() const {
  std::vector<std::string> names;
  for (const FunctionSignature &function : impl->functions)
    names.push_back(function.name);
  return names;
}

const std::vector<FunctionSignature> &Model::functions() const {
  return impl->functions;
}

Result<Function> Model::function(std::string_view name) const {
  const FunctionSignature *signature = nullptr;
  std::string known;
  for (const FunctionSignature &candidate : impl->functions) {
    known += (known.empty() ? "" : ", ") + candidate.name;
    if (candidate.name == name)
      signature = &candidate;
  }
  if (!signature)
    return makeError(ErrorKind::NotFound,
                     "no function named '" + std::string(name) +
                         "'; there is: " + (known.empty() ? "none" : known));
  runtime::ForkSection section;
  std::lock_guard lock(impl->functionMutex);
  std::weak_ptr<Function::Impl> &slot = impl->loaded[signature->name];
  if (std::shared_ptr<Function::Impl> loaded = slot.lock())
    return Function(std::move(loaded));
  Result<std::shared_ptr<Function::Impl>> made = impl->makeFunction(*signature);
  if (!made)
    return made.error();
  slot = *made;
  return Function(std::move(*made));
}

const std::string &Function::name() const { return impl->signature.name; }

const std::vector<TensorDescriptor> &Function::inputs() const {
  return impl->signature.inputs;
}

const std::vector<TensorDescriptor> &Function::outputs() const {
  return impl->signature.outputs;
}

const std::vector<TensorDescriptor> &Function::states() const {
  return impl->signature.states;
}

std::vector<KernelInfo> Function::kernels() const {
  std::vector<KernelInfo> kernels;
  for (const KernelInfo *kernel : impl->executor->kernels())
    kernels.push_back(*kernel);
  return kernels;
}

Result<std::vector<Tensor>>
Function::run(const std::vector<Tensor> &inputs,
              const std::vector<Tensor> &states) const {
  return impl->executor->run(inputs, states);
}
