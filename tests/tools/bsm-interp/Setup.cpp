//===- Setup.cpp - Arguments of a kernel from the command line ------------===//
#include "Setup.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace bessemer;
using namespace bessemer::testing;

static Error bad(const llvm::Twine &message) {
  return makeError(ErrorKind::InvalidArgument, message.str());
}

/// What the IR itself says of a kernel.
static KernelInfo inferKernel(const llvm::Function &function) {
  KernelInfo kernel;
  kernel.name = kernel.symbol = function.getName().str();
  unsigned buffers = 0, threadgroups = 0;
  for (const llvm::Argument &parameter : function.args()) {
    Argument argument;
    argument.name = parameter.getName().str();
    auto *type = llvm::dyn_cast<llvm::PointerType>(parameter.getType());
    argument.space = AddressSpace(type ? type->getAddressSpace() : 0);
    bool isThreadgroup = argument.space == AddressSpace::Threadgroup;
    if (isThreadgroup)
      argument.kind = ArgumentKind::ThreadgroupMemory;
    argument.index = isThreadgroup ? threadgroups++ : buffers++;
    if (argument.space == AddressSpace::Constant)
      argument.access = Access::Read;
    kernel.arguments.push_back(std::move(argument));
  }
  return kernel;
}

static Result<KernelInfo> readKernel(const std::string &file,
                                     const std::string &name) {
  auto text = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!text)
    return bad("cannot read '" + file + "': " + text.getError().message());
  Result<Reflection> reflection =
      reflectionFromJson((*text)->getBuffer().str());
  if (!reflection)
    return reflection.error();
  const KernelInfo *kernel = reflection->find(name);
  if (!kernel)
    return bad("'" + file + "' has no kernel '" + name + "'");
  return *kernel;
}

Result<std::unique_ptr<Setup>> Setup::load(const std::string &irFile,
                                           const std::string &reflection,
                                           const std::string &kernel) {
  auto setup = std::make_unique<Setup>();
  llvm::SMDiagnostic diagnostic;
  setup->module = llvm::parseIRFile(irFile, diagnostic, setup->context);
  if (!setup->module) {
    std::string message;
    llvm::raw_string_ostream stream(message);
    diagnostic.print("", stream, /*ShowColors=*/false);
    return bad(message);
  }
  if (!reflection.empty()) {
    Result<KernelInfo> info = readKernel(reflection, kernel);
    if (!info)
      return info.error();
    setup->kernel = *info;
    return setup;
  }
  llvm::Function *function = setup->module->getFunction(kernel);
  if (!function)
    return bad("'" + irFile + "' has no function '" + kernel + "'");
  setup->kernel = inferKernel(*function);
  return setup;
}

/// "4,2" -> {4, 2, 1}.
static Result<std::array<uint32_t, 3>> parseSize(llvm::StringRef text) {
  std::array<uint32_t, 3> size{1, 1, 1};
  llvm::SmallVector<llvm::StringRef, 3> parts;
  text.split(parts, ',');
  for (size_t i = 0; i < parts.size(); ++i)
    if (i >= 3 || parts[i].getAsInteger(10, size[i]) || size[i] == 0)
      return bad("'" + text + "' is no size; write X, X,Y or X,Y,Z");
  return size;
}

Status Setup::setGrid(llvm::StringRef threads, llvm::StringRef group) {
  auto grid = parseSize(threads), size = parseSize(group);
  if (!grid || !size)
    return grid ? size.error() : grid.error();
  for (unsigned i = 0; i < 3; ++i) {
    theLaunch.threads_per_grid[i] = (*grid)[i];
    theLaunch.threads_per_threadgroup[i] = (*size)[i];
    theLaunch.threadgroups_per_grid[i] =
        ((*grid)[i] + (*size)[i] - 1) / (*size)[i];
  }
  return {};
}

/// Splits INDEX=REST.
static Result<std::pair<unsigned, llvm::StringRef>>
parseIndexed(llvm::StringRef option) {
  auto [index, rest] = option.split('=');
  unsigned number;
  if (index.getAsInteger(10, number) || number >= BSM_MAX_BUFFERS)
    return bad("'" + option +
               "' does not begin with an index from 0 to 30 and "
               "'='");
  return std::make_pair(number, rest);
}

Status Setup::setBuffer(llvm::StringRef option) {
  auto parsed = parseIndexed(option);
  if (!parsed)
    return parsed.error();
  auto bytes = parseBytes(parsed->second);
  if (!bytes)
    return bytes.error();
  buffers[parsed->first] = std::move(*bytes);
  return {};
}

Status Setup::setTensor(llvm::StringRef option) {
  auto parsed = parseIndexed(option);
  if (!parsed)
    return parsed.error();
  auto [shape, content] = parsed->second.split(':');
  if (Status status =
          setBuffer(llvm::utostr(parsed->first) + "=" + content.str());
      !status)
    return status;
  llvm::SmallVector<llvm::StringRef, 4> sizes;
  shape.split(sizes, 'x');
  bsm_tensor tensor{};
  int64_t stride = 1;
  // Shapes are written outermost first, descriptors hold the innermost first.
  for (llvm::StringRef size : llvm::reverse(sizes)) {
    if (tensor.rank == BSM_MAX_RANK ||
        size.getAsInteger(10, tensor.extents[tensor.rank]))
      return bad("'" + shape + "' is no shape; write 4x3");
    tensor.strides[tensor.rank] = stride;
    stride *= tensor.extents[tensor.rank++];
  }
  tensors[parsed->first] = tensor;
  return {};
}

Status Setup::setThreadgroupMemory(llvm::StringRef option) {
  auto parsed = parseIndexed(option);
  if (!parsed)
    return parsed.error();
  if (parsed->second.getAsInteger(10, threadgroupMemory[parsed->first]))
    return bad("'" + option + "' is no INDEX=BYTES");
  return {};
}

const bsm_launch &Setup::launch(uint32_t staticBytes) {
  static const bsm_services noServices{
      [](void *, const bsm_tensor *, uint32_t, int64_t, uint32_t) {}};
  theLaunch.version = BSM_LAUNCH_VERSION;
  theLaunch.services = &noServices;
  for (auto &[index, bytes] : buffers)
    theLaunch.buffers[index] = {bytes.data(), bytes.size()};
  for (auto &[index, tensor] : tensors) {
    tensor.address = buffers[index].data();
    tensor.bytes = buffers[index].size();
    theLaunch.buffers[index] = {&tensor, sizeof(tensor)};
  }
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const Argument &argument = kernel.arguments[i];
    if (argument.kind == ArgumentKind::Tensor && tensors.count(argument.index))
      tensors[argument.index].argument = i;
  }
  threadgroupBytes = staticBytes;
  for (auto [index, bytes] : threadgroupMemory) {
    theLaunch.threadgroup_offset[index] = threadgroupBytes;
    threadgroupBytes += (bytes + 15) / 16 * 16;
  }
  return theLaunch;
}
