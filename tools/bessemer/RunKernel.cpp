//===- RunKernel.cpp - bessemer run: a kernel of a file -------------------===//
#include "Run.h"

#include "Crash.h"
#include "Options.h"
#include "Output.h"
#include "Text.h"

#include "bessemer/kernel.h"

#include <algorithm>

using namespace bessemer;
using namespace bessemer::cli;

namespace {
/// "NAME[=TYPE][:FILE]" of --out.
struct Output {
  std::string name, type, file;
};

/// The arguments of one dispatch, by name.
class KernelRun {
public:
  KernelRun(const RunOptions &options, const KernelInfo &info)
      : options(options), info(info), generator(options.seed) {}

  Status bind();
  const Dispatch &dispatch() const { return launch; }
  /// Prints or saves what --out names; without it, what the kernel writes.
  Status writeOutputs() const;

private:
  Error fail(const std::string &what) const {
    return makeError(ErrorKind::InvalidArgument,
                     "kernel '" + info.name + "': " + what);
  }
  Result<const Argument *> argument(const std::string &name) const;
  Status bindValue(const std::string &name, const std::string &value);
  Status bindOutput(const std::string &text);
  Status bindGrid();

  const RunOptions &options;
  const KernelInfo &info;
  std::mt19937_64 generator;
  std::map<std::string, Array> arrays;
  std::vector<Output> outputs;
  Dispatch launch;
};
} // namespace

Result<const Argument *> KernelRun::argument(const std::string &name) const {
  std::vector<std::string> names;
  std::string list;
  for (const Argument &argument : info.arguments) {
    if (argument.name == name)
      return &argument;
    names.push_back(argument.name);
    list += (list.empty() ? "" : ", ") + argument.name;
  }
  return fail("no argument '" + name + "'; it has: " +
              (list.empty() ? "none" : list) + suggestion(name, names));
}

Status KernelRun::bindValue(const std::string &name, const std::string &value) {
  Result<const Argument *> found = argument(name);
  if (!found)
    return found.error();
  const Argument &a = **found;
  ArrayType wanted{a.element, {}, false};
  if (a.kind == ArgumentKind::ThreadgroupMemory)
    wanted.dtype = DType::U32; // its size
  if (a.isReference && a.element != DType::Invalid)
    wanted = {a.element, {a.vectorWidth}, true};
  Result<Array> array = parseArray(value, wanted, generator);
  if (!array)
    return fail("argument '" + name + "': " + array.error().message);
  if (a.kind == ArgumentKind::ThreadgroupMemory) {
    if (array->elements() != 1 || array->dtype != DType::U32)
      return fail("argument '" + name +
                  "' is threadgroup memory: give its size in bytes");
    launch.threadgroupMemory[a.index] =
        *static_cast<const uint32_t *>(array->data.get());
  }
  arrays[name] = std::move(*array);
  return {};
}

Status KernelRun::bindOutput(const std::string &text) {
  Output output;
  size_t equals = text.find('='), colon = text.find(':');
  output.name = text.substr(0, std::min(equals, colon));
  if (equals < colon)
    output.type = text.substr(equals + 1, colon - equals - 1);
  if (colon != std::string::npos)
    output.file = text.substr(colon + 1);
  for (const Output &other : outputs)
    if (other.name == output.name)
      return fail("--out " + text + ": '" + output.name + "' is given twice");
  if (isSameFile(output.file, options.source.file))
    return fail("--out " + text + " would overwrite the source");
  Result<const Argument *> found = argument(output.name);
  if (!found)
    return found.error();
  if (!output.type.empty()) {
    if (arrays.count(output.name))
      return fail("--out " + text + ": '" + output.name +
                  "' has its value from --arg, so leave the type out");
    Result<Array> array = parseArray("zeros:" + output.type,
                                     {(*found)->element, {}, false}, generator);
    if (!array)
      return fail("output '" + output.name + "': " + array.error().message);
    arrays[output.name] = std::move(*array);
  } else if (!arrays.count(output.name)) {
    return fail("output '" + output.name + "' needs a type and a size, --out " +
                output.name + "=float32[1024]");
  }
  outputs.push_back(std::move(output));
  return {};
}

static std::optional<Dim3> dimensions(const std::vector<uint32_t> &sizes) {
  if (sizes.empty())
    return std::nullopt;
  Dim3 dimensions{1, 1, 1};
  std::copy(sizes.begin(), sizes.end(), dimensions.begin());
  return dimensions;
}

Status KernelRun::bindGrid() {
  launch.threads = dimensions(options.threads);
  launch.groups = dimensions(options.groups);
  if (!launch.threads == !launch.groups)
    return fail("give one of --threads X,Y,Z and --groups X,Y,Z");
  std::optional<Dim3> group = dimensions(options.group);
  if (!group && launch.groups)
    return fail("--groups needs --group X,Y,Z");
  uint32_t widest = std::min(info.maxThreadsPerThreadgroup, 256u);
  launch.groupSize =
      group ? *group : Dim3{std::clamp((*launch.threads)[0], 1u, widest), 1, 1};
  return {};
}

Status KernelRun::bind() {
  Result<Assignments> values = parseAssignments("--arg", options.arguments);
  if (!values)
    return values.error();
  for (const auto &[name, value] : *values)
    if (Status status = bindValue(name, value); !status)
      return status;
  for (const std::string &text : options.outputs)
    if (Status status = bindOutput(text); !status)
      return status;
  for (const Argument &a : info.arguments) {
    auto array = arrays.find(a.name);
    if (array == arrays.end())
      return fail("argument '" + a.name + "' is missing: --arg " + a.name +
                  "=VALUE (a number, FILE.npy, random[1024], zeros[1024])");
    if (a.kind == ArgumentKind::ThreadgroupMemory)
      continue;
    if (!a.isReference) {
      launch.arguments.push_back(array->second.tensor());
      continue;
    }
    if (a.element != DType::Invalid &&
        (array->second.elements() != a.vectorWidth ||
         array->second.dtype != a.element))
      return fail("argument '" + a.name + "' is one " + a.typeName + ", got " +
                  describe(array->second.dtype, array->second.shape));
    auto *bytes = static_cast<const std::byte *>(array->second.data.get());
    InlineBytes value{{bytes, bytes + array->second.bytes()}};
    if (a.element != DType::Invalid) // Three have the size of four.
      value.bytes.resize(a.elementSize);
    launch.arguments.push_back(std::move(value));
  }
  return bindGrid();
}

Status KernelRun::writeOutputs() const {
  std::vector<Output> shown = outputs;
  if (shown.empty())
    for (const Argument &a : info.arguments)
      if (a.access != Access::Read && a.kind != ArgumentKind::ThreadgroupMemory)
        shown.push_back({a.name, "", ""});
  for (const Output &output : shown)
    if (Status status =
            writeArray(output.name, arrays.at(output.name), output.file);
        !status)
      return status;
  return {};
}

static Result<const KernelInfo *> chooseKernel(const Library &library,
                                               const std::string &name) {
  const std::vector<KernelInfo> &kernels = library.reflection().kernels;
  if (name.empty() && kernels.size() == 1)
    return &kernels.front();
  std::vector<std::string> names;
  std::string list;
  for (const KernelInfo &kernel : kernels) {
    if (kernel.name == name)
      return &kernel;
    names.push_back(kernel.name);
    list += (list.empty() ? "" : ", ") + kernel.name;
  }
  if (kernels.empty())
    return makeError(ErrorKind::NotFound, "the file has no kernel");
  return name.empty()
             ? makeError(ErrorKind::InvalidArgument,
                         "several kernels, choose one with --kernel: " + list)
             : makeError(ErrorKind::NotFound, "no kernel '" + name +
                                                  "'; the file has: " + list +
                                                  suggestion(name, names));
}

static Status runChosen(const RunOptions &options) {
  Result<Library> library = options.source.compile();
  if (!library)
    return library.error();
  Result<const KernelInfo *> info = chooseKernel(*library, options.kernel);
  if (!info)
    return info.error();
  KernelRun run(options, **info);
  if (Status status = run.bind(); !status)
    return status;
  Result<Device> device = Device::get(options.device);
  if (!device)
    return device.error();
  Result<Kernel> kernel = Kernel::create(*library, (*info)->name, *device);
  if (!kernel)
    return kernel.error();
  blameForCrashes((*info)->name);
  if (Status status = kernel->run(run.dispatch()); !status)
    return status;
  return run.writeOutputs();
}

int cli::runKernel(const RunOptions &options) {
  Status status = runChosen(options);
  return status ? Done : report(status.error());
}
