//===- Memory.cpp - The objects a kernel may touch ------------------------===//
#include "codegen/interp/Memory.h"
#include "codegen/interp/Pointer.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

unsigned Memory::add(Object object) {
  objects.push_back(std::move(object));
  return objects.size();
}

static bool holds(const Object &object, uint64_t address, uint64_t bytes) {
  uint64_t base = addressOf(reinterpret_cast<uintptr_t>(object.base));
  return address >= base && bytes <= object.bytes &&
         address - base <= object.bytes - bytes;
}

const Object *Memory::owner(uint64_t pointer, uint64_t bytes,
                            const std::vector<Object> &variables) const {
  unsigned tag = tagOf(pointer);
  if (tag >= firstPrivateTag) {
    unsigned index = tag - firstPrivateTag;
    return index < variables.size() ? &variables[index] : nullptr;
  }
  if (tag != 0)
    return tag <= objects.size() ? &objects[tag - 1] : nullptr;
  for (const Object &object : objects)
    if (holds(object, addressOf(pointer), bytes))
      return &object;
  for (const Object &object : variables)
    if (holds(object, addressOf(pointer), bytes))
      return &object;
  return nullptr;
}

static std::string describeOffset(const Object &object, uint64_t address) {
  int64_t offset =
      int64_t(address - addressOf(reinterpret_cast<uintptr_t>(object.base)));
  return "at offset " + std::to_string(offset) + " of " + object.name +
         ", which has " + std::to_string(object.bytes) + " bytes";
}

Memory::Access Memory::find(uint64_t pointer, uint64_t bytes, bool forWriting,
                            const std::vector<Object> &variables) const {
  Access access;
  uint64_t address = addressOf(pointer);
  std::string size = std::to_string(bytes) + " bytes ";
  const Object *object = owner(pointer, bytes, variables);
  if (!object)
    access.problem = size + (address == 0 ? "through a null pointer"
                                          : "outside of every argument and "
                                            "variable");
  else if (!object->base)
    access.problem = size + "of " + object->name + ", which is not bound";
  else if (!holds(*object, address, bytes))
    access.problem = size + describeOffset(*object, address);
  else if (forWriting && !object->writable)
    access.problem =
        size + describeOffset(*object, address) + " and is read-only";
  else
    access = {reinterpret_cast<uint8_t *>(address), object, {}};
  return access;
}

namespace {
/// Walks a type's leaves with their places in memory.
template <typename Visit> class LeafWalk {
public:
  LeafWalk(const DataLayout &layout, Visit visit)
      : layout(layout), visit(visit) {}

  void walk(Type *type, uint64_t offset) {
    if (auto *record = dyn_cast<StructType>(type)) {
      const StructLayout *members = layout.getStructLayout(record);
      for (unsigned i = 0; i < record->getNumElements(); ++i)
        walk(record->getElementType(i), offset + members->getElementOffset(i));
    } else if (auto *array = dyn_cast<ArrayType>(type)) {
      uint64_t stride = layout.getTypeAllocSize(array->getElementType());
      for (uint64_t i = 0; i < array->getNumElements(); ++i)
        walk(array->getElementType(), offset + i * stride);
    } else {
      visit(type, offset);
    }
  }

private:
  const DataLayout &layout;
  Visit visit;
};
} // namespace

static Bits loadBits(unsigned width, const uint8_t *from) {
  unsigned bytes = divideCeil(width, 8);
  Bits bits(bytes * 8, 0);
  LoadIntFromMemory(bits, from, bytes);
  return bits.trunc(width);
}

static void storeBits(const Bits &bits, uint8_t *to) {
  unsigned bytes = divideCeil(bits.getBitWidth(), 8);
  StoreIntToMemory(bits.zext(bytes * 8), to, bytes);
}

Leaves interp::loadValue(Type *type, const uint8_t *from,
                         const DataLayout &layout) {
  Leaves value;
  LeafWalk(layout, [&](Type *part, uint64_t offset) {
    unsigned width = leafWidth(part->getScalarType());
    unsigned count = leafCount(part);
    // A vector is the packed bits of its elements (<8 x i1> is one byte).
    Bits all = loadBits(width * count, from + offset);
    for (unsigned i = 0; i < count; ++i)
      value.push_back(all.extractBits(width, i * width));
  }).walk(type, 0);
  return value;
}

void interp::storeValue(Type *type, const Leaves &value, uint8_t *to,
                        const DataLayout &layout) {
  unsigned leaf = 0;
  LeafWalk(layout, [&](Type *part, uint64_t offset) {
    unsigned width = leafWidth(part->getScalarType());
    unsigned count = leafCount(part);
    Bits all(width * count, 0);
    for (unsigned i = 0; i < count; ++i)
      all.insertBits(value[leaf++], i * width);
    storeBits(all, to + offset);
  }).walk(type, 0);
}
