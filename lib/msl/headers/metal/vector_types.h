// float2, packed_half3 ... as global names.
#pragma once

#define __BSM_VECTOR_NAMES(T)                                                  \
  typedef metal::vec<T, 2> T##2;                                               \
  typedef metal::vec<T, 3> T##3;                                               \
  typedef metal::vec<T, 4> T##4;                                               \
  typedef metal::packed_vec<T, 2> packed_##T##2;                               \
  typedef metal::packed_vec<T, 3> packed_##T##3;                               \
  typedef metal::packed_vec<T, 4> packed_##T##4;                               \
  namespace metal {                                                            \
  using ::T##2;                                                                \
  using ::T##3;                                                                \
  using ::T##4;                                                                \
  using ::packed_##T##2;                                                       \
  using ::packed_##T##3;                                                       \
  using ::packed_##T##4;                                                       \
  }
__BSM_VECTOR_NAMES(bool)
__BSM_VECTOR_NAMES(char)
__BSM_VECTOR_NAMES(uchar)
__BSM_VECTOR_NAMES(short)
__BSM_VECTOR_NAMES(ushort)
__BSM_VECTOR_NAMES(int)
__BSM_VECTOR_NAMES(uint)
__BSM_VECTOR_NAMES(long)
__BSM_VECTOR_NAMES(ulong)
__BSM_VECTOR_NAMES(half)
__BSM_VECTOR_NAMES(bfloat)
__BSM_VECTOR_NAMES(float)
#undef __BSM_VECTOR_NAMES

namespace metal {
using ::bfloat;
using ::half;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intptr_t;
using ::nullptr_t;
using ::ptrdiff_t;
using ::size_t;
using ::uchar;
using ::uint;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
using ::ulong;
using ::ushort;
} // namespace metal
