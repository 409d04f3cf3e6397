//===- Program.cpp - Building coreai programs -----------------------------===//
//
// Everything is forwarded to the compiler half; a program lives there.
//
//===----------------------------------------------------------------------===//
#include "bessemer/program.h"

#include "api/Abi.h"
#include "api/CompilerLoader.h"
#include "api/ProgramImpl.h"
#include "asset/Asset.h"

#include <nlohmann/json.hpp>

using namespace bessemer;
using namespace bessemer::api;

Program::Impl::~Impl() {
  runtime::ForkSection section;
  api.program_release(handle);
}

/// A Program of what `make(api, &handle)` creates.
template <typename Make> static Result<Program> makeProgram(Make make) {
  Result<const bsm_compiler_api *> table = compiler();
  if (!table)
    return table.error();
  bsm_ir_program *handle = nullptr;
  if (Status status = make(**table, &handle); !status)
    return status.error();
  return Program(std::make_shared<Program::Impl>(**table, handle));
}

Result<Program> Program::create() {
  return makeProgram([](const bsm_compiler_api &api, bsm_ir_program **handle) {
    return call(api, &bsm_compiler_api::program_create, handle);
  });
}

Result<Program> Program::parse(std::string_view source) {
  return makeProgram([&](const bsm_compiler_api &api, bsm_ir_program **handle) {
    return call(api, &bsm_compiler_api::program_parse, text(source), handle);
  });
}

Result<Program> Program::load(const std::filesystem::path &path) {
  Result<asset::Asset> asset = asset::open(path);
  if (!asset)
    return asset.error();
  Result<Program> program =
      makeProgram([&](const bsm_compiler_api &api, bsm_ir_program **handle) {
        return call(api, &bsm_compiler_api::program_from_bytecode,
                    text(asset->bytecode), handle);
      });
  if (program)
    program->handle()->bytecode = std::move(asset->mapping);
  return program;
}

Result<Block> Program::addGraph(std::string_view name,
                                const std::vector<GraphInput> &inputs) {
  std::vector<bsm_text> names, types;
  for (const GraphInput &input : inputs) {
    names.push_back(text(input.name));
    types.push_back(text(input.type));
  }
  Block block;
  Status status = call(impl->api, &bsm_compiler_api::program_add_graph,
                       impl->handle, text(name), names.data(), types.data(),
                       inputs.size(), &block.opaque);
  if (!status)
    return status.error();
  return block;
}

Value Program::input(Block graph, unsigned index) const {
  return {impl->api.program_input(impl->handle, graph.opaque, index)};
}

static std::vector<void *> opaque(const std::vector<Value> &values) {
  std::vector<void *> raw;
  for (Value value : values)
    raw.push_back(value.opaque);
  return raw;
}

static std::vector<bsm_text> texts(const std::vector<std::string> &strings) {
  std::vector<bsm_text> raw;
  for (const std::string &string : strings)
    raw.push_back(text(string));
  return raw;
}

Status Program::setOutputs(Block graph, const std::vector<Value> &values,
                           const std::vector<std::string> &names) {
  if (values.size() != names.size())
    return makeError(ErrorKind::InvalidArgument,
                     "a graph has " + std::to_string(values.size()) +
                         " results but " + std::to_string(names.size()) +
                         " result names");
  std::vector<void *> rawValues = opaque(values);
  std::vector<bsm_text> rawNames = texts(names);
  return call(impl->api, &bsm_compiler_api::program_set_outputs, impl->handle,
              graph.opaque, static_cast<void *const *>(rawValues.data()),
              static_cast<const bsm_text *>(rawNames.data()), values.size());
}

Result<Operation> Program::create(Block block, std::string_view name,
                                  const std::vector<Value> &operands,
                                  const std::vector<std::string> &resultTypes,
                                  std::string_view attributes,
                                  std::string_view location, unsigned regions) {
  std::vector<void *> rawOperands = opaque(operands);
  std::vector<bsm_text> rawTypes = texts(resultTypes);
  Operation operation;
  Status status = call(
      impl->api, &bsm_compiler_api::program_create_op, impl->handle,
      block.opaque, text(name), static_cast<void *const *>(rawOperands.data()),
      rawOperands.size(), static_cast<const bsm_text *>(rawTypes.data()),
      rawTypes.size(), text(attributes), text(location), uint32_t(regions),
      &operation.opaque);
  if (!status)
    return status.error();
  return operation;
}

Value Program::result(Operation operation, unsigned index) const {
  return {impl->api.program_result(impl->handle, operation.opaque, index)};
}

Block Program::region(Operation operation, unsigned index) const {
  return {impl->api.program_region(impl->handle, operation.opaque, index)};
}

Result<Value> Program::addArgument(Block block, std::string_view type) {
  Value value;
  Status status = call(impl->api, &bsm_compiler_api::program_add_argument,
                       impl->handle, block.opaque, text(type), &value.opaque);
  if (!status)
    return status.error();
  return value;
}

Status Program::setDimensions(std::string_view graph,
                              const std::vector<GraphDimension> &dimensions) {
  std::vector<std::vector<bsm_dimension_use>> uses;
  std::vector<bsm_dimension> raw;
  for (const GraphDimension &dimension : dimensions) {
    std::vector<bsm_dimension_use> &list = uses.emplace_back();
    for (const GraphDimension::Use &use : dimension.uses)
      list.push_back({use.input, use.axis, use.factor, use.offset});
    raw.push_back({text(dimension.name), dimension.min,
                   dimension.max.value_or(-1), list.data(), list.size()});
  }
  return call(impl->api, &bsm_compiler_api::program_set_dimensions,
              impl->handle, text(graph),
              static_cast<const bsm_dimension *>(raw.data()), raw.size());
}

std::string Program::typeOf(Value value) const {
  Result<std::string> type =
      callForString(impl->api, &bsm_compiler_api::program_type_of, impl->handle,
                    value.opaque);
  return type ? *type : "<" + type.error().message + ">";
}

Result<Value> Program::constant(Block block, DType type,
                                const std::vector<int64_t> &shape,
                                const void *data, size_t bytes) {
  bsm_tensor_data tensor{static_cast<uint32_t>(type),
                         static_cast<uint32_t>(shape.size()), shape.data(),
                         data, bytes};
  Value value;
  Status status =
      call(impl->api, &bsm_compiler_api::program_constant, impl->handle,
           block.opaque, static_cast<const bsm_tensor_data *>(&tensor),
           &value.opaque);
  if (!status)
    return status.error();
  return value;
}

Result<bool> Program::hasTorchLowering(std::string_view target) {
  Result<const bsm_compiler_api *> table = compiler();
  if (!table)
    return table.error();
  return (*table)->has_torch_lowering(text(target)) != 0;
}

Status Program::lowerTorch() {
  return call(impl->api, &bsm_compiler_api::program_lower_torch, impl->handle);
}

Status Program::verify() const {
  return call(impl->api, &bsm_compiler_api::program_verify, impl->handle);
}

std::string Program::print() const {
  Result<std::string> printed =
      callForString(impl->api, &bsm_compiler_api::program_print, impl->handle);
  return printed ? *printed : "<" + printed.error().message + ">";
}

static CompileFailure failureFrom(const nlohmann::json &entry) {
  CompileFailure failure;
  failure.error =
      makeError(ErrorKind::Compile, entry.at("message").get<std::string>());
  Result<std::vector<Diagnostic>> diagnostics =
      diagnosticsFromJson(entry.at("diagnostics").dump());
  if (diagnostics)
    failure.diagnostics = std::move(*diagnostics);
  return failure;
}

std::vector<CompileFailure> Program::checkKernels() const {
  Result<std::string> json = callForString(
      impl->api, &bsm_compiler_api::program_check_kernels, impl->handle);
  if (!json)
    return {{json.error(), {}}};
  std::vector<CompileFailure> failures;
  try {
    for (const nlohmann::json &entry : nlohmann::json::parse(*json))
      failures.push_back(failureFrom(entry));
  } catch (const nlohmann::json::exception &e) {
    return {{makeError(ErrorKind::Internal,
                       std::string("the compiler's list of kernels is not "
                                   "valid: ") +
                           e.what()),
             {}}};
  }
  return failures;
}

Status Program::save(const std::filesystem::path &path,
                     const AssetMetadata &metadata) const {
  if (Status status = verify(); !status)
    return status;
  Result<std::string> bytecode = callForString(
      impl->api, &bsm_compiler_api::program_bytecode, impl->handle);
  if (!bytecode)
    return bytecode.error();
  return asset::save(path, *bytecode, metadata);
}
