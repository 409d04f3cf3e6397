//===- DispatchFaults.cpp - The fault of a dispatch -----------------------===//
#include "runtime/DispatchFaults.h"

#include <cstdio>
#include <utility>

using namespace bessemer;
using namespace bessemer::runtime;

const bsm_services DispatchFaults::services{&DispatchFaults::indexFault};

/// Compiled code knows the dispatch, not which groups its caller is at.
static thread_local uint64_t threadGroup = 0;

DispatchFaults::Groups::Groups(uint64_t first)
    : outer(std::exchange(threadGroup, first)) {}
DispatchFaults::Groups::~Groups() { threadGroup = outer; }
uint64_t DispatchFaults::Groups::current() { return threadGroup; }

void DispatchFaults::record(uint64_t group, Error found) {
  std::lock_guard lock(mutex);
  if (error && group >= groupOfError)
    return;
  error = std::move(found);
  groupOfError = group;
}

std::optional<Error> DispatchFaults::first() {
  std::lock_guard lock(mutex);
  return error;
}

std::string DispatchFaults::describe(const KernelInfo &kernel, uint32_t line) {
  if (!line)
    line = kernel.location.line;
  std::string place =
      line ? kernel.location.file + ":" + std::to_string(line) + ": " : "";
  return place + "kernel '" + kernel.name + "'";
}

static std::string extentsText(const bsm_tensor &tensor) {
  std::string text = "(";
  for (uint32_t i = 0; i < tensor.rank && i < BSM_MAX_RANK; ++i)
    text += (i ? ", " : "") + std::to_string(tensor.extents[i]);
  return text + ")";
}

std::string DispatchFaults::filledMessage(const bsm_tensor &tensor,
                                          uint32_t dimension,
                                          int64_t index) const {
  std::pair<std::string_view, int64_t> values[] = {
      {"{index}", index},
      {"{extent}", tensor.extents[dimension]},
      {"{axis}", int64_t(tensor.rank) - 1 - dimension}};
  std::string text = indexMessage;
  for (auto [name, value] : values)
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), std::to_string(value));
  return text;
}

void DispatchFaults::indexFault(void *dispatch, const bsm_tensor *tensor,
                                uint32_t dimension, int64_t index,
                                uint32_t line) {
  OutsideCompiledCode outside;
  auto &faults = *static_cast<DispatchFaults *>(dispatch);
  if (!tensor)
    return faults.record(
        makeError(ErrorKind::Fault, describe(faults.kernel, line) +
                                        " reached a trap (__builtin_trap)"));
  if (!faults.indexMessage.empty())
    return faults.record(makeError(
        ErrorKind::Fault, faults.filledMessage(*tensor, dimension, index)));
  const KernelInfo &kernel = faults.kernel;
  std::string name = tensor->argument < kernel.arguments.size()
                         ? kernel.arguments[tensor->argument].name
                         : "?";
  faults.record(makeError(ErrorKind::Fault,
                          describe(kernel, line) + ": index " +
                              std::to_string(index) + " of tensor '" + name +
                              "' is out of range in dimension " +
                              std::to_string(dimension) + ": its extents are " +
                              extentsText(*tensor) + ", innermost first"));
}

std::string DispatchFaults::nearestBuffer(uintptr_t address) const {
  static constexpr uint64_t reach = 1 << 20;
  for (const Argument &argument : kernel.arguments) {
    if (argument.kind == ArgumentKind::ThreadgroupMemory ||
        argument.index >= BSM_MAX_BUFFERS)
      continue;
    const bsm_slot *slot = &launch.buffers[argument.index];
    auto begin = reinterpret_cast<uintptr_t>(slot->address);
    uint64_t bytes = slot->bytes;
    if (argument.kind == ArgumentKind::Tensor && slot->address) {
      auto *tensor = static_cast<const bsm_tensor *>(slot->address);
      begin = reinterpret_cast<uintptr_t>(tensor->address);
      bytes = tensor->bytes;
    }
    std::string what = "argument '" + argument.name + "' (" +
                       std::to_string(bytes) + " bytes)";
    if (address - begin < bytes)
      return "; that is inside " + what;
    if (address >= begin + bytes && address - (begin + bytes) < reach)
      return "; that is " + std::to_string(address - begin) +
             " bytes from the start of " + what;
    if (address < begin && begin - address < reach)
      return "; that is " + std::to_string(begin - address) +
             " bytes before the start of " + what;
  }
  return {};
}

void DispatchFaults::recordSignal(const Fault &fault) {
  char address[32];
  std::snprintf(address, sizeof(address), "0x%zx", size_t(fault.address));
  record(makeError(ErrorKind::Fault, describe(kernel) + " stopped with an " +
                                         describeSignal(fault.signal) +
                                         " at address " + address +
                                         nearestBuffer(fault.address)));
}
