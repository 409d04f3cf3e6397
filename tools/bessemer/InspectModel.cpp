//===- InspectModel.cpp - bessemer inspect MODEL.aimodel ------------------===//
#include "Array.h"
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
  std::vector<Function> functions;
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
  for (const std::string &name : model->functionNames()) {
    Result<Function> function = model->function(name);
    if (!function)
      return function.error();
    contents.functions.push_back(std::move(*function));
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

static json toJson(const Descriptors &descriptors) {
  json list = json::array();
  for (const TensorDescriptor &d : descriptors)
    list.push_back(
        {{"name", d.name}, {"dtype", dtypeName(d.dtype)}, {"shape", d.shape}});
  return list;
}

static json toJson(const Function &function) {
  Reflection reflection;
  reflection.kernels = function.kernels();
  return {{"name", function.name()},
          {"inputs", toJson(function.inputs())},
          {"outputs", toJson(function.outputs())},
          {"states", toJson(function.states())},
          {"kernels", json::parse(bessemer::toJson(reflection)).at("kernels")}};
}

static void printJson(const Contents &contents) {
  json functions = json::array();
  for (const Function &function : contents.functions)
    functions.push_back(toJson(function));
  const AssetMetadata &metadata = contents.metadata;
  json root{{"bytes", contents.bytes},
            {"metadata",
             {{"author", metadata.author},
              {"license", metadata.license},
              {"description", metadata.description},
              {"creation_date", dateText(metadata.creationDate)},
              {"creator_defined", metadata.creatorDefined}}},
            {"functions", functions}};
  std::cout << root.dump(-1, ' ', false, json::error_handler_t::replace)
            << "\n";
}

static void print(const char *what, const Descriptors &descriptors) {
  for (const TensorDescriptor &d : descriptors)
    std::cout << "  " << what << " " << printable(d.name) << ": "
              << describe(d.dtype, d.shape) << "\n";
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
  bool isDynamic = false;
  for (const Function &function : contents.functions) {
    std::cout << "function " << printable(function.name()) << "\n";
    print("input", function.inputs());
    print("output", function.outputs());
    print("state", function.states());
    for (const Descriptors *list : {&function.inputs(), &function.outputs()})
      for (const TensorDescriptor &d : *list)
        isDynamic |=
            std::find(d.shape.begin(), d.shape.end(), -1) != d.shape.end();
    for (const KernelInfo &kernel : function.kernels()) {
      std::cout << "kernel ";
      printKernel(kernel);
    }
  }
  if (isDynamic)
    std::cout << "-1 is a dimension of any size\n";
}

int cli::inspectModel(const std::string &path, bool json) {
  Result<Contents> contents = load(path);
  if (!contents)
    return report(contents.error());
  if (json)
    printJson(*contents);
  else
    print(*contents);
  return Done;
}
