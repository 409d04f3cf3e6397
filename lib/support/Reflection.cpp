//===- Reflection.cpp - JSON form of the reflection table -----------------===//
#include "bessemer/reflection.h"

#include <nlohmann/json.hpp>

using namespace bessemer;
using nlohmann::json;

const KernelInfo *Reflection::find(std::string_view kernel) const {
  for (const KernelInfo &info : kernels)
    if (info.name == kernel)
      return &info;
  return nullptr;
}

std::string_view bessemer::spellingOf(ArgumentKind kind) {
  switch (kind) {
  case ArgumentKind::Buffer:
    return "buffer";
  case ArgumentKind::Tensor:
    return "tensor";
  case ArgumentKind::ThreadgroupMemory:
    return "threadgroup memory";
  }
  return "";
}

std::string_view bessemer::spellingOf(AddressSpace space) {
  switch (space) {
  case AddressSpace::Thread:
    return "thread";
  case AddressSpace::Device:
    return "device";
  case AddressSpace::Threadgroup:
    return "threadgroup";
  case AddressSpace::Constant:
    return "constant";
  }
  return "";
}

std::string_view bessemer::spellingOf(Access access) {
  switch (access) {
  case Access::Read:
    return "read";
  case Access::Write:
    return "write";
  case Access::ReadWrite:
    return "read-write";
  }
  return "";
}

/// The enumerator of that name, among those up to `last`.
template <typename E> static E enumeratorFrom(const json &value, E last) {
  auto name = value.get<std::string>();
  for (unsigned i = 0; i <= static_cast<unsigned>(last); ++i)
    if (!name.empty() && spellingOf(static_cast<E>(i)) == name)
      return static_cast<E>(i);
  throw json::other_error::create(600, "unknown name " + name, &value);
}

static json locationJson(const SourceLocation &location) {
  return {{"file", location.file},
          {"line", location.line},
          {"column", location.column}};
}

static SourceLocation locationFrom(const json &value) {
  return {value.at("file").get<std::string>(), value.at("line").get<unsigned>(),
          value.at("column").get<unsigned>()};
}

static json argumentJson(const Argument &argument) {
  return {{"name", argument.name},
          {"kind", spellingOf(argument.kind)},
          {"space", spellingOf(argument.space)},
          {"index", argument.index},
          {"access", spellingOf(argument.access)},
          {"type", argument.typeName},
          {"element", dtypeName(argument.element)},
          {"width", argument.vectorWidth},
          {"size", argument.elementSize},
          {"alignment", argument.alignment},
          {"reference", argument.isReference},
          {"rank", argument.rank},
          {"location", locationJson(argument.location)}};
}

static Argument argumentFrom(const json &value) {
  Argument argument;
  value.at("name").get_to(argument.name);
  argument.kind =
      enumeratorFrom(value.at("kind"), ArgumentKind::ThreadgroupMemory);
  argument.space = enumeratorFrom(value.at("space"), AddressSpace::Constant);
  value.at("index").get_to(argument.index);
  argument.access = enumeratorFrom(value.at("access"), Access::ReadWrite);
  value.at("type").get_to(argument.typeName);
  argument.element = dtypeFromName(value.at("element").get<std::string>());
  value.at("width").get_to(argument.vectorWidth);
  value.at("size").get_to(argument.elementSize);
  value.at("alignment").get_to(argument.alignment);
  value.at("reference").get_to(argument.isReference);
  value.at("rank").get_to(argument.rank);
  argument.location = locationFrom(value.at("location"));
  return argument;
}

static json kernelJson(const KernelInfo &kernel) {
  json arguments = json::array();
  for (const Argument &argument : kernel.arguments)
    arguments.push_back(argumentJson(argument));
  return {{"name", kernel.name},
          {"symbol", kernel.symbol},
          {"arguments", std::move(arguments)},
          {"max_threads", kernel.maxThreadsPerThreadgroup},
          {"execution_width", kernel.threadExecutionWidth},
          {"threadgroup_memory", kernel.staticThreadgroupMemory},
          {"barrier", kernel.usesBarrier},
          {"simdgroup", kernel.usesSimdgroup},
          {"location", locationJson(kernel.location)}};
}

static KernelInfo kernelFrom(const json &value) {
  KernelInfo kernel;
  value.at("name").get_to(kernel.name);
  value.at("symbol").get_to(kernel.symbol);
  for (const json &argument : value.at("arguments"))
    kernel.arguments.push_back(argumentFrom(argument));
  value.at("max_threads").get_to(kernel.maxThreadsPerThreadgroup);
  value.at("execution_width").get_to(kernel.threadExecutionWidth);
  value.at("threadgroup_memory").get_to(kernel.staticThreadgroupMemory);
  value.at("barrier").get_to(kernel.usesBarrier);
  value.at("simdgroup").get_to(kernel.usesSimdgroup);
  kernel.location = locationFrom(value.at("location"));
  return kernel;
}

std::string bessemer::toJson(const Reflection &reflection) {
  json kernels = json::array(), constants = json::array();
  for (const KernelInfo &kernel : reflection.kernels)
    kernels.push_back(kernelJson(kernel));
  for (const FunctionConstant &constant : reflection.functionConstants)
    constants.push_back({{"name", constant.name},
                         {"index", constant.index},
                         {"type", dtypeName(constant.type)},
                         {"width", constant.vectorWidth}});
  json root = {{"version", Reflection::version},
               {"kernels", std::move(kernels)},
               {"function_constants", std::move(constants)}};
  return root.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Reflection> bessemer::reflectionFromJson(std::string_view text) {
  try {
    json root = json::parse(text);
    if (unsigned version = root.at("version").get<unsigned>();
        version != Reflection::version)
      return makeError(ErrorKind::Corrupt,
                       "reflection version " + std::to_string(version) +
                           " is not supported; recompile the library");
    Reflection reflection;
    for (const json &kernel : root.at("kernels"))
      reflection.kernels.push_back(kernelFrom(kernel));
    for (const json &constant : root.at("function_constants"))
      reflection.functionConstants.push_back(
          {constant.at("name").get<std::string>(),
           constant.at("index").get<unsigned>(),
           dtypeFromName(constant.at("type").get<std::string>()),
           constant.at("width").get<unsigned>()});
    return reflection;
  } catch (const json::exception &e) {
    return makeError(ErrorKind::Corrupt,
                     std::string("reflection is not valid: ") + e.what());
  }
}
