//===- RunModel.cpp - bessemer run: a function of a model -----------------===//
#include "Options.h"
#include "Run.h"
#include "Text.h"

#include "bessemer/model.h"

#include <algorithm>
#include <filesystem>

using namespace bessemer;
using namespace bessemer::cli;

static std::vector<std::string>
namesOf(const std::vector<TensorDescriptor> &tensors) {
  std::vector<std::string> names;
  for (const TensorDescriptor &tensor : tensors)
    names.push_back(tensor.name);
  return names;
}

static bool contains(const std::vector<std::string> &names,
                     const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "inputs: x, y".
static std::string listOf(const char *what,
                          const std::vector<std::string> &names) {
  std::string list = std::string(what) + "s: ";
  for (const std::string &name : names)
    list += (&name == &names.front() ? "" : ", ") + name;
  return names.empty() ? "no " + std::string(what) + "s" : list;
}

/// The values of --input or --state, whose names the function must have.
static Result<Assignments> givenValues(const std::string &what,
                                       const std::vector<std::string> &texts,
                                       const Function &function) {
  Result<Assignments> values = parseAssignments("--" + what, texts);
  if (!values)
    return values;
  bool isInput = what == "input";
  std::vector<std::string> inputs = namesOf(function.inputs());
  std::vector<std::string> states = namesOf(function.states());
  for (const auto &[name, value] : *values) {
    if (contains(isInput ? inputs : states, name))
      continue;
    std::string other = isInput ? "state" : "input";
    return makeError(ErrorKind::NotFound,
                     "no " + what + " '" + name + "'; function '" +
                         function.name() + "' has " +
                         listOf(what.c_str(), isInput ? inputs : states) +
                         (contains(isInput ? states : inputs, name)
                              ? "; '" + name + "' is its " + other + ": --" +
                                    other + " " + name + "=" + value
                              : suggestion(name, isInput ? inputs : states)));
  }
  return values;
}

/// "float32[rows, 16]".
static std::string typeText(const TensorDescriptor &tensor) {
  std::string text(dtypeName(tensor.dtype));
  for (const std::string &extent : tensor.extents)
    text += (&extent == &tensor.extents.front() ? "[" : ", ") + extent;
  return text + (tensor.extents.empty() ? "[]" : "]");
}

static bool isDynamic(const TensorDescriptor &tensor) {
  return std::find(tensor.shape.begin(), tensor.shape.end(), -1) !=
         tensor.shape.end();
}

/// What `text` stands for, as a value of `tensor`, which is a `what`.
static Result<Array> parseValue(const std::string &what,
                                const TensorDescriptor &tensor,
                                const std::string &text,
                                std::mt19937_64 &generator) {
  Result<Array> array = parseArray(
      text, {tensor.dtype, tensor.shape, !isDynamic(tensor)}, generator);
  if (!array)
    return makeError(array.error().kind,
                     what + " '" + tensor.name + "': " + array.error().message);
  // Numbers in the text are a list; the tensor may be no vector.
  if (array->shape.size() == 1 && !isDynamic(tensor) &&
      array->elements() ==
          Array{tensor.dtype, tensor.shape, nullptr}.elements())
    array->shape = tensor.shape;
  return array;
}

static const std::string *find(const Assignments &values,
                               const std::string &name) {
  for (const auto &[known, value] : values)
    if (known == name)
      return &value;
  return nullptr;
}

static Error missing(const std::string &what, const std::string &filling,
                     const TensorDescriptor &tensor) {
  return makeError(ErrorKind::InvalidArgument,
                   what + " '" + tensor.name + "' (" + typeText(tensor) +
                       ") is missing: --" + what + " " + tensor.name +
                       "=FILE.npy, or =" + filling + "[...] with its sizes");
}

namespace {
/// What one run reads and writes.
class ModelRun {
public:
  ModelRun(const RunOptions &options, const Function &function)
      : options(options), function(function), generator(options.seed) {}

  Status bind();
  Status run();

private:
  Result<Array> input(const Assignments &given, const TensorDescriptor &tensor);
  Status write(const TensorDescriptor &tensor, const Tensor &value,
               const std::string &suffix) const;

  const RunOptions &options;
  const Function &function;
  std::mt19937_64 generator;
  std::vector<Array> arrays; ///< Keeps what the tensors view.
  std::vector<Tensor> inputs, states;
};
} // namespace

Result<Array> ModelRun::input(const Assignments &given,
                              const TensorDescriptor &tensor) {
  const std::string *text = find(given, tensor.name);
  if (!text && options.random && isDynamic(tensor))
    return makeError(ErrorKind::InvalidArgument,
                     "input '" + tensor.name + "' (" + typeText(tensor) +
                         ") has no fixed size, and --random chooses none: "
                         "--input " +
                         tensor.name + "=random[...] with its sizes");
  if (!text && !options.random)
    return missing("input", "random", tensor);
  return parseValue("input", tensor, text ? *text : "random", generator);
}

Status ModelRun::bind() {
  Result<Assignments> given = givenValues("input", options.inputs, function);
  if (!given)
    return given.error();
  Result<Assignments> old = givenValues("state", options.states, function);
  if (!old)
    return old.error();
  for (const TensorDescriptor &tensor : function.inputs()) {
    Result<Array> array = input(*given, tensor);
    if (!array)
      return array.error();
    arrays.push_back(std::move(*array));
    inputs.push_back(arrays.back().tensor());
  }
  for (const TensorDescriptor &tensor : function.states()) {
    const std::string *text = find(*old, tensor.name);
    if (!text && isDynamic(tensor))
      return missing("state", "zeros", tensor);
    Result<Array> array =
        parseValue("state", tensor, text ? *text : "zeros", generator);
    if (!array)
      return array.error();
    arrays.push_back(std::move(*array));
    states.push_back(arrays.back().tensor());
  }
  return {};
}

Status ModelRun::write(const TensorDescriptor &tensor, const Tensor &value,
                       const std::string &suffix) const {
  Array array{value.dtype, value.shape, {value.owner, value.data}};
  if (options.save.empty())
    return writeArray(tensor.name, array, {});
  // The name is the model's: it must not lead out of the folder.
  if (tensor.name.find_first_of(std::string_view("/\0", 2)) !=
      std::string::npos)
    return makeError(ErrorKind::InvalidArgument,
                     "'" + tensor.name +
                         "' cannot be a file's name; run "
                         "without --save to see it");
  std::filesystem::path folder = options.save;
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  return writeArray(tensor.name, array,
                    (folder / (tensor.name + suffix)).string());
}

Status ModelRun::run() {
  Result<std::vector<Tensor>> results = function.run(inputs, states);
  if (!results)
    return results.error();
  for (size_t i = 0; i < results->size(); ++i)
    if (Status status = write(function.outputs()[i], (*results)[i], ".npy");
        !status)
      return status;
  std::vector<std::string> outputs = namesOf(function.outputs());
  for (size_t i = 0; i < states.size(); ++i) {
    const TensorDescriptor &state = function.states()[i];
    bool isTaken = contains(outputs, state.name);
    if (Status status =
            write(state, states[i], isTaken ? ".state.npy" : ".npy");
        !status)
      return status;
  }
  return {};
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
  ModelRun run(options, *function);
  Status status = run.bind();
  return status ? run.run() : status;
}

int cli::runModel(const RunOptions &options) {
  Status status = run(options);
  return status ? Done : report(status.error());
}
