//===- Machine.cpp - What all threads of a dispatch share -----------------===//
#include "codegen/interp/Machine.h"

#include "codegen/interp/Pointer.h"

#include "llvm/Support/Alignment.h"

#include <cstring>

using namespace bessemer;
using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;

const Code &Machine::codeOf(const llvm::Function &function) {
  std::unique_ptr<Code> &code = codes[&function];
  if (!code)
    code = std::make_unique<Code>(
        function, [this](const llvm::Constant *c) { return intern(c); });
  return *code;
}

const llvm::Function *Machine::functionAt(uint64_t pointer) const {
  // Without its tag: pointers to members are integers.
  auto found = functions.find(addressOf(pointer));
  return found == functions.end() ? nullptr : found->second;
}

uint8_t *Machine::allocate(uint64_t bytes) {
  constexpr uint64_t alignment = 128; // Of the largest Metal vector type.
  auto block = std::make_unique<uint8_t[]>(bytes + alignment);
  auto base = reinterpret_cast<uint8_t *>(
      llvm::alignAddr(block.get(), llvm::Align(alignment)));
  allocations.push_back(std::move(block));
  return base;
}

void Machine::resetThreadgroupMemory() {
  for (const Allocation &block : threadgroupBlocks)
    std::memset(block.base, uninitialisedByte, block.bytes);
}

bool Machine::fail(ErrorKind kind, const std::string &message) {
  if (!error)
    error = makeError(kind, "kernel '" + kernel.name + "': " + message);
  return false;
}
