//===- Memory.h - The objects a kernel may touch ----------------*- C++ -*-===//
//
// Every load and store is checked against the bytes of an object: a buffer, a
// tensor, a tensor's descriptor, a threadgroup block, a constant, or a variable
// of the thread. Addresses are real, so compiled code sees the same memory.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_INTERP_MEMORY_H
#define BESSEMER_CODEGEN_INTERP_MEMORY_H

#include "codegen/interp/Values.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class DataLayout;
} // namespace llvm

namespace bessemer::codegen::interp {

struct Object {
  std::string name; ///< As messages show it: "argument 'x' (buffer 0)".
  uint8_t *base = nullptr;
  uint64_t bytes = 0;
  bool writable = true;
  /// Visible outside the dispatch, so tags must not be stored to it.
  bool isBuffer = false;
  /// Tag of the data behind a tensor's descriptor, whose first word it is.
  unsigned descriptorOf = 0;
};

class Memory {
public:
  /// Returns the tag of pointers to the object.
  unsigned add(Object object);
  const Object &shared(unsigned tag) const { return objects[tag - 1]; }

  struct Access {
    uint8_t *address = nullptr;
    const Object *object = nullptr;
    std::string problem; ///< Why not, if `object` is null.
  };
  /// The bytes at `pointer`. `variables` are the objects of the thread's
  /// frames, newest last.
  Access find(uint64_t pointer, uint64_t bytes, bool forWriting,
              const std::vector<Object> &variables) const;

private:
  const Object *owner(uint64_t pointer, uint64_t bytes,
                      const std::vector<Object> &variables) const;

  std::vector<Object> objects;
};

/// A first-class value in memory, as the data layout places it.
Leaves loadValue(llvm::Type *type, const uint8_t *from,
                 const llvm::DataLayout &layout);
void storeValue(llvm::Type *type, const Leaves &value, uint8_t *to,
                const llvm::DataLayout &layout);

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_MEMORY_H
