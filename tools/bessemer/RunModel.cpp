//===- RunModel.cpp - bessemer run: a function of a model -----------------===//
#include "Run.h"
#include "Text.h"

#include "bessemer/model.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

using namespace bessemer;
using namespace bessemer::cli;

using Values = std::map<std::string, std::string>;

/// The texts of --input by name.
static Result<Values> givenInputs(const RunOptions &options,
                                  const Function &function) {
  std::vector<std::string> names;
  std::string list;
  for (const TensorDescriptor &input : function.inputs()) {
    names.push_back(input.name);
    list += (list.empty() ? "" : ", ") + input.name;
  }
  Values values;
  for (const std::string &text : options.inputs) {
    auto assignment = parseAssignment("--input", text);
    if (!assignment)
      return assignment.error();
    if (std::find(names.begin(), names.end(), assignment->first) == names.end())
      return makeError(ErrorKind::NotFound,
                       "no input '" + assignment->first + "'; function '" +
                           function.name() + "' has: " + list +
                           suggestion(assignment->first, names));
    values[assignment->first] = assignment->second;
  }
  return values;
}

static Result<Array> inputArray(const RunOptions &options, const Values &given,
                                const TensorDescriptor &input,
                                std::mt19937_64 &generator) {
  bool isDynamic = std::find(input.shape.begin(), input.shape.end(), -1) !=
                   input.shape.end();
  auto text = given.find(input.name);
  if (text == given.end() && (!options.random || isDynamic))
    return makeError(ErrorKind::InvalidArgument,
                     "input '" + input.name + "' (" +
                         describe(input.dtype, input.shape) +
                         ") is missing: --input " + input.name +
                         "=FILE.npy, or =random[...] with its sizes" +
                         (options.random ? "; -1 stands for any" : ""));
  Result<Array> array =
      parseArray(text == given.end() ? "random" : text->second,
                 {input.dtype, input.shape, !isDynamic}, generator);
  if (!array)
    return makeError(array.error().kind,
                     "input '" + input.name + "': " + array.error().message);
  // Numbers in the text are a list; the input may be no vector.
  if (array->shape.size() == 1 && !isDynamic &&
      array->elements() == Array{input.dtype, input.shape, nullptr}.elements())
    array->shape = input.shape;
  return array;
}

static Status writeResult(const RunOptions &options, const std::string &name,
                          const Tensor &tensor) {
  Array array{tensor.dtype, tensor.shape, tensor.owner};
  array.data = {tensor.owner, tensor.data};
  if (options.save.empty()) {
    std::cout << name << ": " << summary(array) << "\n";
    return {};
  }
  std::filesystem::path folder = options.save;
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  return writeNpy((folder / (name + ".npy")).string(), array);
}

static Status run(const RunOptions &options) {
  Result<Device> device = Device::get(options.device);
  if (!device)
    return device.error();
  Result<Model> model = Model::load(options.source.file, *device);
  if (!model)
    return model.error();
  Result<Function> function = model->function(options.function);
  if (!function)
    return function.error();
  Result<Values> given = givenInputs(options, *function);
  if (!given)
    return given.error();
  std::mt19937_64 generator(options.seed);
  std::vector<Array> arrays;
  std::vector<Tensor> inputs, states;
  for (const TensorDescriptor &input : function->inputs()) {
    Result<Array> array = inputArray(options, *given, input, generator);
    if (!array)
      return array.error();
    arrays.push_back(std::move(*array));
    inputs.push_back(arrays.back().tensor());
  }
  for (const TensorDescriptor &state : function->states()) {
    Result<Array> array = Array::zeros(state.dtype, state.shape);
    if (!array)
      return array.error();
    arrays.push_back(std::move(*array));
    states.push_back(arrays.back().tensor());
  }
  Result<std::vector<Tensor>> results = function->run(inputs, states);
  if (!results)
    return results.error();
  for (size_t i = 0; i < results->size(); ++i)
    if (Status status =
            writeResult(options, function->outputs()[i].name, (*results)[i]);
        !status)
      return status;
  return {};
}

int cli::runModel(const RunOptions &options) {
  Status status = run(options);
  return status ? Done : report(status.error());
}
