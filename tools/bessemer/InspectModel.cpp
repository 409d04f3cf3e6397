//===- InspectModel.cpp - bessemer inspect MODEL.aimodel ------------------===//
#include "Text.h"
#include "Verbs.h"

#include "bessemer/model.h"

#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace bessemer;
using namespace bessemer::cli;
using nlohmann::json;

namespace {
/// What is shown of a model.
struct Contents {
  std::string path;
  uint64_t bytes = 0; ///< Of the program, weights included.
  AssetMetadata metadata;
  std::vector<FunctionSignature> functions;
  /// Of each function; none if it does not compile, which `errors` explains.
  std::vector<std::vector<KernelInfo>> kernels;
  std::vector<Error> errors;
};

using Descriptors = std::vector<TensorDescriptor>;
} // namespace

static Result<Contents> load(const std::string &path) {
  Result<Device> device = Device::get("cpu");
  if (!device)
    return device.error();
  Result<Model> model = Model::load(path, *device);
  if (!model)
    return model.error();
  Contents contents;
  contents.path = path;
  std::error_code failure;
  contents.bytes = std::filesystem::file_size(
      std::filesystem::path(path) / "main.mlirb", failure);
  contents.metadata = model->metadata();
  contents.functions = model->functions();
  for (const FunctionSignature &signature : contents.functions) {
    Result<Function> function = model->function(signature.name);
    contents.kernels.emplace_back();
    if (function)
      contents.kernels.back() = function->kernels();
    else
      contents.errors.push_back(function.error());
  }
  return contents;
}

static std::string dateText(int64_t seconds) {
  std::time_t time = seconds;
  std::tm parts{};
  char text[32] = "";
  if (gmtime_r(&time, &parts))
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// "float32[rows, 16]".
static std::string describe(const TensorDescriptor &tensor) {
  std::string text(dtypeName(tensor.dtype));
  text += "[";
  for (const std::string &extent : tensor.extents)
    text += (text.back() == '[' ? "" : ", ") + printable(extent);
  return text + "]";
}

static json toJson(const Descriptors &descriptors) {
  json list = json::array();
  for (const TensorDescriptor &d : descriptors) {
    json shape = json::array();
    for (size_t axis = 0; axis < d.shape.size(); ++axis)
      shape.push_back(d.shape[axis] < 0 ? json(d.extents[axis])
                                        : json(d.shape[axis]));
    list.push_back(
        {{"name", d.name}, {"dtype", dtypeName(d.dtype)}, {"shape", shape}});
  }
  return list;
}

static json toJson(const FunctionSignature &function,
                   const std::vector<KernelInfo> &kernels) {
  json dimensions = json::array();
  for (const ModelDimension &d : function.dimensions)
    dimensions.push_back({{"name", d.name},
                          {"min", d.min},
                          {"max", d.max ? json(*d.max) : json()}});
  Reflection reflection;
  reflection.kernels = kernels;
  return {{"name", function.name},
          {"inputs", toJson(function.inputs)},
          {"outputs", toJson(function.outputs)},
          {"states", toJson(function.states)},
          {"dimensions", dimensions},
          {"kernels", json::parse(bessemer::toJson(reflection)).at("kernels")}};
}

static void printJson(const Contents &contents) {
  json functions = json::array();
  for (size_t i = 0; i < contents.functions.size(); ++i)
    functions.push_back(toJson(contents.functions[i], contents.kernels[i]));
  const AssetMetadata &metadata = contents.metadata;
  json root{{"bytes", contents.bytes},
            {"metadata",
             {{"author", metadata.author},
              {"license", metadata.license},
              {"description", metadata.description},
              {"creation_date", dateText(metadata.creationDate)},
              {"creator_defined", metadata.creatorDefined}}},
            {"functions", functions}};
  std::cout << root.dump(2, ' ', false, json::error_handler_t::replace) << "\n";
}

static void print(const char *what, const Descriptors &descriptors) {
  for (const TensorDescriptor &d : descriptors)
    std::cout << "  " << what << " " << printable(d.name) << ": " << describe(d)
              << "\n";
}

static void print(const ModelDimension &dimension) {
  std::cout << "  " << printable(dimension.name) << ": ";
  if (dimension.max)
    std::cout << dimension.min << " to " << *dimension.max << "\n";
  else if (dimension.min > 0)
    std::cout << dimension.min << " or more\n";
  else
    std::cout << "any size\n";
}

static void print(const char *what, const std::string &text) {
  if (!text.empty())
    std::cout << "  " << what << ": " << printable(text) << "\n";
}

static void print(const Contents &contents) {
  const AssetMetadata &metadata = contents.metadata;
  std::cout << printable(contents.path) << ": " << contents.bytes << " bytes\n";
  print("author", metadata.author);
  print("license", metadata.license);
  print("description", metadata.description);
  print("created", dateText(metadata.creationDate));
  for (const auto &[key, value] : metadata.creatorDefined)
    print(printable(key).c_str(), value);
  for (size_t i = 0; i < contents.functions.size(); ++i) {
    const FunctionSignature &function = contents.functions[i];
    std::cout << "function " << printable(function.name) << "\n";
    print("input", function.inputs);
    print("output", function.outputs);
    print("state", function.states);
    for (const ModelDimension &dimension : function.dimensions)
      print(dimension);
    for (const KernelInfo &kernel : contents.kernels[i]) {
      std::cout << "kernel ";
      printKernel(kernel);
    }
  }
}

int cli::inspectModel(const std::string &path, bool json) {
  Result<Contents> contents = load(path);
  if (!contents)
    return report(contents.error());
  if (json)
    printJson(*contents);
  else
    print(*contents);
  std::cout << std::flush;
  int status = Done;
  for (const Error &error : contents->errors)
    status = report(error);
  return status;
}
