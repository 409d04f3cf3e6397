// Packing of normalised integers: ties to even, NaN as 0.
#pragma once

namespace metal {

template <int bits> inline uint __toUnorm(float value) {
  constexpr float scale = (float)((1u << bits) - 1u);
  return (uint)__exact_rint(__exact_saturate(value) * scale);
}
template <int bits> inline uint __toSnorm(float value) {
  constexpr float scale = (float)((1u << (bits - 1)) - 1u);
  float clamped = __isNan(value) ? 0.0 : __exact_clamp(value, -1.0, 1.0);
  return (uint)(int)__exact_rint(clamped * scale) & ((1u << bits) - 1u);
}
template <int bits> inline float __fromUnorm(uint value) {
  constexpr uint mask = (1u << bits) - 1u;
  return (float)(value & mask) / (float)mask;
}
template <int bits> inline float __fromSnorm(uint value) {
  constexpr float scale = (float)((1u << (bits - 1)) - 1u);
  int number = (int)(value << (32 - bits)) >> (32 - bits);
  return __exact_fmax((float)number / scale, -1.0);
}
inline float __toSrgb(float c) {
  return c <= 0.0031308 ? c * 12.92
                         : 1.055 * precise::pow(c, 1.0 / 2.4) - 0.055;
}
inline float __fromSrgb(float c) {
  return c <= 0.04045 ? c / 12.92
                       : precise::pow((c + 0.055) / 1.055, 2.4);
}

#define __BSM_PACK(T)                                                          \
  inline uint pack_##T##_to_unorm4x8(T##4 v) {                                 \
    return __toUnorm<8>(v.x) | __toUnorm<8>(v.y) << 8 |                        \
           __toUnorm<8>(v.z) << 16 | __toUnorm<8>(v.w) << 24;                  \
  }                                                                            \
  inline uint pack_##T##_to_snorm4x8(T##4 v) {                                 \
    return __toSnorm<8>(v.x) | __toSnorm<8>(v.y) << 8 |                        \
           __toSnorm<8>(v.z) << 16 | __toSnorm<8>(v.w) << 24;                  \
  }                                                                            \
  inline uint pack_##T##_to_srgb_unorm4x8(T##4 v) {                            \
    float4 c = saturate(float4(v));                                            \
    return __toUnorm<8>(__toSrgb(c.x)) | __toUnorm<8>(__toSrgb(c.y)) << 8 |    \
           __toUnorm<8>(__toSrgb(c.z)) << 16 | __toUnorm<8>(c.w) << 24;        \
  }                                                                            \
  inline uint pack_##T##_to_unorm2x16(T##2 v) {                                \
    return __toUnorm<16>(v.x) | __toUnorm<16>(v.y) << 16;                      \
  }                                                                            \
  inline uint pack_##T##_to_snorm2x16(T##2 v) {                                \
    return __toSnorm<16>(v.x) | __toSnorm<16>(v.y) << 16;                      \
  }                                                                            \
  inline uint pack_##T##_to_unorm10a2(T##4 v) {                                \
    return __toUnorm<10>(v.x) | __toUnorm<10>(v.y) << 10 |                     \
           __toUnorm<10>(v.z) << 20 | __toUnorm<2>(v.w) << 30;                 \
  }                                                                            \
  inline ushort pack_##T##_to_unorm565(T##3 v) {                               \
    return (ushort)(__toUnorm<5>(v.x) | __toUnorm<6>(v.y) << 5 |               \
                    __toUnorm<5>(v.z) << 11);                                  \
  }                                                                            \
  inline T##4 unpack_unorm4x8_to_##T(uint p) {                                 \
    return T##4(__fromUnorm<8>(p), __fromUnorm<8>(p >> 8),                     \
                __fromUnorm<8>(p >> 16), __fromUnorm<8>(p >> 24));             \
  }                                                                            \
  inline T##4 unpack_snorm4x8_to_##T(uint p) {                                 \
    return T##4(__fromSnorm<8>(p), __fromSnorm<8>(p >> 8),                     \
                __fromSnorm<8>(p >> 16), __fromSnorm<8>(p >> 24));             \
  }                                                                            \
  inline T##4 unpack_unorm4x8_srgb_to_##T(uint p) {                            \
    return T##4(__fromSrgb(__fromUnorm<8>(p)), __fromSrgb(__fromUnorm<8>(p >> 8)), \
                __fromSrgb(__fromUnorm<8>(p >> 16)), __fromUnorm<8>(p >> 24)); \
  }                                                                            \
  inline T##2 unpack_unorm2x16_to_##T(uint p) {                                \
    return T##2(__fromUnorm<16>(p), __fromUnorm<16>(p >> 16));                 \
  }                                                                            \
  inline T##2 unpack_snorm2x16_to_##T(uint p) {                                \
    return T##2(__fromSnorm<16>(p), __fromSnorm<16>(p >> 16));                 \
  }                                                                            \
  inline T##4 unpack_unorm10a2_to_##T(uint p) {                                \
    return T##4(__fromUnorm<10>(p), __fromUnorm<10>(p >> 10),                  \
                __fromUnorm<10>(p >> 20), __fromUnorm<2>(p >> 30));            \
  }                                                                            \
  inline T##3 unpack_unorm565_to_##T(ushort p) {                               \
    return T##3(__fromUnorm<5>(p), __fromUnorm<6>(p >> 5),                     \
                __fromUnorm<5>(p >> 11));                                      \
  }
__BSM_PACK(float)
__BSM_PACK(half)
#undef __BSM_PACK

} // namespace metal
