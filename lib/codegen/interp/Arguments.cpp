//===- Arguments.cpp - From launch slots to the kernel's parameters -------===//
#include "codegen/interp/Machine.h"
#include "codegen/interp/Pointer.h"

#include <algorithm>
#include <cstring>

using namespace bessemer;
using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;

static std::string nameOf(const bessemer::Argument &argument) {
  const char *kind = argument.kind == ArgumentKind::ThreadgroupMemory
                         ? "threadgroup "
                         : "buffer ";
  return "argument '" + argument.name + "' (" + kind +
         std::to_string(argument.index) + ")";
}

static Leaves pointerValue(unsigned tag, const void *address) {
  return {Bits(64, makePointer(tag, reinterpret_cast<uintptr_t>(address)))};
}

Leaves Machine::bindBuffer(const bessemer::Argument &argument) {
  const bsm_slot &slot = launch.buffers[argument.index];
  unsigned tag =
      memory.add({nameOf(argument), static_cast<uint8_t *>(slot.address),
                  slot.bytes, argument.access != Access::Read,
                  /*isBuffer=*/true});
  slotTags[argument.index] = tag;
  return pointerValue(tag, slot.address);
}

Leaves Machine::bindTensor(const bessemer::Argument &argument) {
  const bsm_slot &slot = launch.buffers[argument.index];
  Object descriptor{nameOf(argument) + "'s descriptor",
                    static_cast<uint8_t *>(slot.address),
                    slot.address ? sizeof(bsm_tensor) : 0, false};
  if (slot.address) {
    auto &tensor = *static_cast<const bsm_tensor *>(slot.address);
    descriptor.descriptorOf =
        memory.add({nameOf(argument), static_cast<uint8_t *>(tensor.address),
                    tensor.bytes, argument.access != Access::Read,
                    /*isBuffer=*/true});
  }
  unsigned tag = memory.add(descriptor);
  slotTags[argument.index] = tag;
  return pointerValue(tag, slot.address);
}

/// The group's block holds the static variables, which live elsewhere here,
/// then the dynamic ones at the launch's offsets.
Leaves Machine::bindThreadgroupMemory(const bessemer::Argument &argument) {
  uint32_t offset = launch.threadgroup_offset[argument.index];
  uint32_t end = options.threadgroupBytes;
  for (const bessemer::Argument &other : kernel.arguments)
    if (other.kind == ArgumentKind::ThreadgroupMemory) {
      uint32_t begin = launch.threadgroup_offset[other.index];
      if (begin > offset)
        end = std::min(end, begin);
    }
  uint64_t bytes = end > offset ? end - offset : 0;
  uint8_t *base = allocate(bytes);
  threadgroupBlocks.push_back({base, bytes});
  return pointerValue(memory.add({nameOf(argument), base, bytes}), base);
}

/// A buffer that no argument names: what pointers inside structs point to.
void Machine::addSlot(unsigned index) {
  const bsm_slot &slot = launch.buffers[index];
  if (slot.address && slotTags[index] == 0)
    slotTags[index] = memory.add({"buffer " + std::to_string(index),
                                  static_cast<uint8_t *>(slot.address),
                                  slot.bytes, true, /*isBuffer=*/true});
}

std::optional<std::vector<Leaves>> Machine::bindArguments() {
  std::vector<Leaves> values;
  for (const bessemer::Argument &argument : kernel.arguments) {
    if (argument.index >= BSM_MAX_BUFFERS) {
      fail(ErrorKind::InvalidArgument,
           nameOf(argument) + " has an index above 30");
      return std::nullopt;
    }
    switch (argument.kind) {
    case ArgumentKind::Buffer:
      values.push_back(bindBuffer(argument));
      break;
    case ArgumentKind::Tensor:
      values.push_back(bindTensor(argument));
      break;
    case ArgumentKind::ThreadgroupMemory:
      values.push_back(bindThreadgroupMemory(argument));
      break;
    }
  }
  for (unsigned i = 0; i < BSM_MAX_BUFFERS; ++i)
    addSlot(i);
  return values;
}
