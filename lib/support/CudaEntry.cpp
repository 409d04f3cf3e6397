//===- CudaEntry.cpp - The entry of a kernel on NVIDIA GPUs ---------------===//
#include "support/CudaEntry.h"

#include "bessemer/abi/cuda.h"

using namespace bessemer;

/// Parameters of one entry, in bytes; more needs recent drivers.
static constexpr size_t parameterLimit = 4096;
/// A larger value is copied to memory and passed by address.
static constexpr size_t largestValue = 256;

/// Parameters are aligned to 16 bytes here, more than any of them needs.
static constexpr size_t addressSize = 16;

static size_t roundUp(size_t bytes) { return (bytes + 15) & ~size_t(15); }

static CudaParameter preferredForm(const Argument &argument) {
  switch (argument.kind) {
  case ArgumentKind::ThreadgroupMemory:
    return CudaParameter::None;
  case ArgumentKind::Tensor:
    return CudaParameter::Descriptor;
  case ArgumentKind::Buffer:
    break;
  }
  bool small = argument.elementSize && argument.elementSize <= largestValue;
  return argument.isReference && argument.space == AddressSpace::Constant &&
                 small
             ? CudaParameter::Value
             : CudaParameter::Pointer;
}

std::vector<CudaParameter> bessemer::cudaParameters(const KernelInfo &kernel) {
  std::vector<CudaParameter> forms;
  size_t used = roundUp(sizeof(bsm_cuda_launch));
  for (const Argument &argument : kernel.arguments) {
    forms.push_back(preferredForm(argument));
    if (forms.back() == CudaParameter::Descriptor)
      used += roundUp(sizeof(bsm_tensor));
    else if (forms.back() != CudaParameter::None)
      used += addressSize;
  }
  // Every value has room for its address; the first ones get what is left.
  for (size_t i = 0; i < forms.size(); ++i) {
    if (forms[i] != CudaParameter::Value)
      continue;
    size_t more = roundUp(kernel.arguments[i].elementSize) - addressSize;
    if (used + more > parameterLimit)
      forms[i] = CudaParameter::Pointer;
    else
      used += more;
  }
  return forms;
}

std::string bessemer::cudaEntryName(std::string_view kernel) {
  std::string name;
  for (char letter : kernel) {
    bool allowed = (letter >= 'a' && letter <= 'z') ||
                   (letter >= 'A' && letter <= 'Z') ||
                   (letter >= '0' && letter <= '9') || letter == '_';
    name += allowed ? letter : '_';
  }
  // A digit cannot come first, and some words are instructions.
  return "bsm_" + name;
}
