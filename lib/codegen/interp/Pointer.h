//===- Pointer.h - Pointers that know their object --------------*- C++ -*-===//
//
// A pointer is a real address in its low 48 bits and, above them, a tag: the
// object that it was made from. Arithmetic keeps the tag, so that an access out
// of bounds names its argument, and landing in a neighbouring buffer is an
// error too. Tag 0 (addresses found in the user's own memory, integers turned
// into pointers) means any object that holds the address.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_INTERP_POINTER_H
#define BESSEMER_CODEGEN_INTERP_POINTER_H

#include <cstdint>

namespace bessemer::codegen::interp {

constexpr unsigned addressBits = 48;
constexpr uint64_t addressMask = (uint64_t(1) << addressBits) - 1;
/// Tags from here on are objects of the thread's own frames.
constexpr unsigned firstPrivateTag = 0x8000;

inline uint64_t addressOf(uint64_t pointer) { return pointer & addressMask; }
inline unsigned tagOf(uint64_t pointer) { return pointer >> addressBits; }
inline uint64_t makePointer(unsigned tag, uint64_t address) {
  return uint64_t(tag) << addressBits | (address & addressMask);
}
inline uint64_t movePointer(uint64_t pointer, int64_t bytes) {
  return makePointer(tagOf(pointer), addressOf(pointer) + uint64_t(bytes));
}

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_POINTER_H
