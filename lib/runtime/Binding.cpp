//===- Binding.cpp - Arguments checked and laid out for a launch ----------===//
#include "runtime/Binding.h"

#include <algorithm>
#include <cstring>

using namespace bessemer;
using namespace bessemer::runtime;

/// Threadgroup memory of one group on Apple GPUs; more would not run there.
static constexpr uint32_t threadgroupMemoryLimit = 32768;

namespace {
class Binder {
public:
  Binder(const KernelInfo &kernel, const Dispatch &dispatch,
         const BindingOptions &options)
      : kernel(kernel), dispatch(dispatch), options(options) {}
  Result<BoundDispatch> run();

private:
  Error invalid(const Argument &argument, const std::string &what) const {
    return makeError(ErrorKind::InvalidArgument,
                     "kernel '" + kernel.name + "': argument '" +
                         argument.name + "' " + what);
  }
  Status checkCount() const;
  Status checkElementType(const Argument &argument, const Tensor &tensor) const;
  Status checkMemory(const Argument &argument, const Tensor &tensor,
                     uint64_t bytes) const;
  Status bindOne(unsigned number, const Argument &argument,
                 const KernelArgument &value);
  Status bindBuffer(const Argument &argument, const Tensor &tensor);
  Status bindTensor(unsigned number, const Argument &argument,
                    const Tensor &tensor);
  Status bindBytes(const Argument &argument, const InlineBytes &bytes);
  Status bindThreadgroupMemory();
  void reserveStorage();

  const KernelInfo &kernel;
  const Dispatch &dispatch;
  const BindingOptions &options;
  BoundDispatch bound;
  std::byte *nextInline = nullptr;
};
} // namespace

static std::string describe(const Tensor &tensor) {
  std::string text(dtypeName(tensor.dtype));
  text += "[";
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(tensor.shape[i]);
  return text + "]";
}

static bool isMemory(const Argument &argument) {
  return argument.kind != ArgumentKind::ThreadgroupMemory;
}

static size_t roundUp(size_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

Result<uint64_t> runtime::spanBytes(const Tensor &tensor) {
  auto tooLarge = [] {
    return makeError(ErrorKind::InvalidArgument,
                     "is larger than the address space");
  };
  uint64_t last = 0, dense = dtypeSize(tensor.dtype);
  for (size_t i = tensor.shape.size(); i-- > 0;) {
    int64_t extent = tensor.shape[i];
    if (extent < 0)
      return makeError(ErrorKind::InvalidArgument, "has a negative extent");
    if (extent == 0)
      return uint64_t(0);
  }
  for (size_t i = tensor.shape.size(); i-- > 0;) {
    uint64_t extent = tensor.shape[i], step = dense;
    if (!tensor.strides.empty()) {
      if (tensor.strides[i] < 0 && extent > 1)
        return makeError(ErrorKind::InvalidArgument,
                         "has a negative stride; make it contiguous");
      if (__builtin_mul_overflow(uint64_t(std::abs(tensor.strides[i])),
                                 uint64_t(dtypeSize(tensor.dtype)), &step))
        return tooLarge();
    }
    uint64_t reach;
    if (__builtin_mul_overflow(extent - 1, step, &reach) ||
        __builtin_add_overflow(last, reach, &last) ||
        __builtin_mul_overflow(dense, extent, &dense))
      return tooLarge();
  }
  if (__builtin_add_overflow(last, uint64_t(dtypeSize(tensor.dtype)), &last) ||
      last > uint64_t(INT64_MAX))
    return tooLarge();
  return last;
}

Status Binder::checkCount() const {
  size_t expected =
      std::count_if(kernel.arguments.begin(), kernel.arguments.end(), isMemory);
  size_t given = dispatch.arguments.size();
  if (given == expected)
    return {};
  std::string names, missing;
  size_t position = 0;
  for (const Argument &argument : kernel.arguments) {
    if (!isMemory(argument))
      continue;
    names += (names.empty() ? "" : ", ") + argument.name;
    if (position++ == given)
      missing = "; '" + argument.name + "' is missing";
  }
  return makeError(ErrorKind::InvalidArgument,
                   "kernel '" + kernel.name + "' takes " +
                       std::to_string(expected) + " arguments (" + names +
                       "), got " + std::to_string(given) + missing);
}

Status Binder::checkElementType(const Argument &argument,
                                const Tensor &tensor) const {
  if (dtypeSize(tensor.dtype) == 0)
    return invalid(argument, "is a tensor without an element type");
  if (!tensor.strides.empty() && tensor.strides.size() != tensor.shape.size())
    return invalid(argument, "has " + std::to_string(tensor.shape.size()) +
                                 " extents but " +
                                 std::to_string(tensor.strides.size()) +
                                 " strides");
  if (argument.element == DType::Invalid || argument.element == tensor.dtype)
    return {};
  return invalid(argument, "is declared '" + argument.typeName + "' (" +
                               std::string(dtypeName(argument.element)) +
                               " elements), got " + describe(tensor));
}

Status Binder::checkMemory(const Argument &argument, const Tensor &tensor,
                           uint64_t bytes) const {
  if (!tensor.data && bytes)
    return invalid(argument,
                   "has " + std::to_string(bytes) + " bytes at a null pointer");
  if (tensor.readOnly && argument.access != Access::Read)
    return invalid(argument, "is written by the kernel, but the array given is "
                             "read-only; pass a writable copy");
  if (argument.alignment > 1 &&
      reinterpret_cast<uintptr_t>(tensor.data) % argument.alignment != 0)
    return invalid(argument, "('" + argument.typeName +
                                 "') must lie at a "
                                 "multiple of " +
                                 std::to_string(argument.alignment) +
                                 " bytes; pass an aligned copy");
  return {};
}

Status Binder::bindBuffer(const Argument &argument, const Tensor &tensor) {
  if (Status status = checkElementType(argument, tensor); !status)
    return status;
  Result<uint64_t> bytes = spanBytes(tensor);
  if (!bytes)
    return invalid(argument, bytes.error().message);
  if (!options.stridedBuffers && !tensor.isDense())
    return invalid(argument, "is a pointer in the kernel, but the array given "
                             "is not contiguous; pass a contiguous copy");
  // A struct's bytes come in any element type, but as whole structs.
  unsigned size = argument.elementSize;
  if (argument.element == DType::Invalid && size && *bytes % size != 0)
    return invalid(argument, "holds '" + argument.typeName + "' of " +
                                 std::to_string(size) + " bytes, got " +
                                 std::to_string(*bytes) + " bytes (" +
                                 describe(tensor) + ")");
  // A constant is one value; what is written may lie in a larger array.
  bool isExact = argument.space == AddressSpace::Constant;
  if (argument.isReference && (*bytes < size || (isExact && *bytes > size)))
    return invalid(argument, "is a reference to '" + argument.typeName + "' (" +
                                 std::to_string(size) + " bytes), got " +
                                 std::to_string(*bytes) + " bytes");
  if (!*bytes && !options.stridedBuffers && bound.groupCount)
    return invalid(argument, "is a pointer to '" + argument.typeName +
                                 "', but the array given has no elements (" +
                                 describe(tensor) +
                                 "); Metal has no empty buffers, so pass at "
                                 "least one element or dispatch no threads");
  if (Status status = checkMemory(argument, tensor, *bytes); !status)
    return status;
  bound.launch.buffers[argument.index] = {tensor.data, *bytes};
  return {};
}

Status Binder::bindTensor(unsigned number, const Argument &argument,
                          const Tensor &tensor) {
  if (Status status = checkElementType(argument, tensor); !status)
    return status;
  size_t rank = tensor.shape.size();
  if (rank != argument.rank || rank > BSM_MAX_RANK)
    return invalid(argument, "is a tensor of rank " +
                                 std::to_string(argument.rank) + ", got " +
                                 describe(tensor));
  Result<uint64_t> bytes = spanBytes(tensor);
  if (!bytes)
    return invalid(argument, bytes.error().message);
  // As Metal has it; the kernel does not look at this stride.
  if (rank > 0 && tensor.shape.back() > 1 && !tensor.strides.empty() &&
      tensor.strides.back() != 1)
    return invalid(argument,
                   "is a tensor whose innermost dimension must be dense, got "
                   "one with stride " +
                       std::to_string(tensor.strides.back()) +
                       "; pass a contiguous copy");
  if (Status status = checkMemory(argument, tensor, *bytes); !status)
    return status;
  bsm_tensor &descriptor = bound.descriptors.emplace_back();
  descriptor = {};
  descriptor.address = tensor.data;
  descriptor.bytes = *bytes;
  descriptor.rank = rank;
  descriptor.argument = number;
  int64_t dense = 1;
  for (size_t i = 0; i < rank; ++i) {
    int64_t extent = tensor.shape[rank - 1 - i];
    if (extent > INT32_MAX)
      return invalid(argument, "has an extent of " + std::to_string(extent) +
                                   "; tensor extents are 32 bits");
    descriptor.extents[i] = extent;
    descriptor.strides[i] =
        tensor.strides.empty() ? dense : tensor.strides[rank - 1 - i];
    dense *= extent;
  }
  bound.launch.buffers[argument.index] = {&descriptor, sizeof(bsm_tensor)};
  return {};
}

Status Binder::bindBytes(const Argument &argument, const InlineBytes &value) {
  if (argument.kind == ArgumentKind::Tensor)
    return invalid(argument, "is a tensor; pass an array");
  if (argument.access != Access::Read)
    return invalid(argument, "is written by the kernel; pass an array, not a "
                             "value");
  size_t size = value.bytes.size();
  if (size < std::max(argument.elementSize, 1u) ||
      (argument.isReference && argument.elementSize &&
       size != argument.elementSize))
    return invalid(argument, "holds '" + argument.typeName + "' of " +
                                 std::to_string(argument.elementSize) +
                                 " bytes, got " + std::to_string(size) +
                                 " bytes");
  std::memcpy(nextInline, value.bytes.data(), size);
  bound.launch.buffers[argument.index] = {nextInline, size};
  nextInline += roundUp(size, 64);
  return {};
}

Status Binder::bindOne(unsigned number, const Argument &argument,
                       const KernelArgument &value) {
  if (argument.index >= BSM_MAX_BUFFERS)
    return invalid(argument, "has buffer index " +
                                 std::to_string(argument.index) +
                                 ", the last one is 30");
  if (const auto *bytes = std::get_if<InlineBytes>(&value))
    return bindBytes(argument, *bytes);
  if (const auto *tensor = std::get_if<Tensor>(&value))
    return argument.kind == ArgumentKind::Tensor
               ? bindTensor(number, argument, *tensor)
               : bindBuffer(argument, *tensor);
  return invalid(argument, "('" + argument.typeName + "', buffer " +
                               std::to_string(argument.index) +
                               ") is not bound; pass a value for it");
}

Status Binder::bindThreadgroupMemory() {
  uint64_t total = kernel.staticThreadgroupMemory;
  auto sizes = dispatch.threadgroupMemory;
  for (const Argument &argument : kernel.arguments) {
    if (isMemory(argument))
      continue;
    auto size = sizes.find(argument.index);
    if (argument.index >= BSM_MAX_BUFFERS || size == sizes.end() ||
        size->second == 0)
      return invalid(argument, "is threadgroup memory " +
                                   std::to_string(argument.index) +
                                   ": give its size in bytes");
    // Metal allocates multiples of 16 bytes.
    uint64_t bytes = roundUp(size->second, 16);
    total += bytes;
    bound.threadgroupBytes[argument.index] =
        std::min<uint64_t>(bytes, UINT32_MAX);
    sizes.erase(size);
  }
  if (!sizes.empty())
    return makeError(ErrorKind::InvalidArgument,
                     "kernel '" + kernel.name +
                         "' has no argument [[threadgroup(" +
                         std::to_string(sizes.begin()->first) + ")]]");
  if (total > threadgroupMemoryLimit)
    return makeError(ErrorKind::InvalidArgument,
                     "kernel '" + kernel.name + "' needs " +
                         std::to_string(total) +
                         " bytes of threadgroup memory, the limit is " +
                         std::to_string(threadgroupMemoryLimit));
  return {};
}

/// Storage that the launch points into must not move while it is filled.
void Binder::reserveStorage() {
  bound.descriptors.reserve(kernel.arguments.size());
  size_t bytes = 0;
  for (const KernelArgument &value : dispatch.arguments)
    if (const auto *literal = std::get_if<InlineBytes>(&value))
      bytes += roundUp(literal->bytes.size(), 64);
  if (!bytes)
    return;
  bound.inlineBytes = std::make_unique<std::byte[]>(bytes + 63);
  auto address = reinterpret_cast<uintptr_t>(bound.inlineBytes.get());
  nextInline = reinterpret_cast<std::byte *>(roundUp(address, 64));
}

Result<BoundDispatch> Binder::run() {
  bound.launch.version = BSM_LAUNCH_VERSION;
  if (Status status = checkCount(); !status)
    return status.error();
  if (Status status = bindGrid(kernel, dispatch, bound); !status)
    return status.error();
  reserveStorage();
  size_t position = 0;
  for (unsigned i = 0; i < kernel.arguments.size(); ++i) {
    const Argument &argument = kernel.arguments[i];
    if (!isMemory(argument))
      continue;
    Status status = bindOne(i, argument, dispatch.arguments[position++]);
    if (!status)
      return status.error();
  }
  if (Status status = bindThreadgroupMemory(); !status)
    return status.error();
  return std::move(bound);
}

Result<BoundDispatch> runtime::bind(const KernelInfo &kernel,
                                    const Dispatch &dispatch,
                                    const BindingOptions &options) {
  return Binder(kernel, dispatch, options).run();
}
