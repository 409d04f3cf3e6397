//===- Convert.cpp - Runs of elements to and from f32 ---------------------===//
//
// Written without branches, so that the compiler vectorises every loop for
// each CPU; integer arithmetic, because not every libgcc has the helpers.
//
//===----------------------------------------------------------------------===//
#include "runtime/gemm/Convert.h"

#include "runtime/gemm/EachCpu.h"

#include <bit>
#include <cstdint>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace bessemer;

static inline float floatFromHalf(uint16_t half) {
  uint32_t magnitude = half & 0x7fffu, sign = (half & 0x8000u) << 16;
  // The exponent is rebiased by a product, which also makes normal numbers of
  // the subnormal ones.
  float scaled = std::bit_cast<float>(magnitude << 13) *
                 std::bit_cast<float>(0x77800000u); // 2^112
  uint32_t bits = std::bit_cast<uint32_t>(scaled);
  bits = magnitude >= 0x7c00u ? (magnitude << 13) | 0x7f800000u : bits;
  return std::bit_cast<float>(bits | sign);
}

static inline uint16_t halfFromFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t magnitude = bits & 0x7fffffffu, sign = (bits >> 16) & 0x8000u;
  // Adding 0.5 leaves a subnormal half, rounded, in the low bits.
  uint32_t subnormal =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
      0x3f000000u;
  uint32_t odd = (magnitude >> 13) & 1u;
  uint32_t normal = (magnitude - 0x38000000u + 0xfffu + odd) >> 13;
  uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result; // rounds to infinity
  result = magnitude > 0x7f800000u ? 0x7e00u : result;
  return static_cast<uint16_t>(result | sign);
}

static inline float floatFromBFloat(uint16_t value) {
  return std::bit_cast<float>(uint32_t(value) << 16);
}

static inline uint16_t bfloatFromFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  bool isNan = (bits & 0x7fffffffu) > 0x7f800000u;
  return static_cast<uint16_t>(isNan ? (bits >> 16) | 0x40u : rounded);
}

BSM_EACH_CPU static void widenHalf(const uint16_t *from, int64_t stride,
                                   float *to, int64_t count) {
  if (stride == 1)
    for (int64_t i = 0; i < count; ++i)
      to[i] = floatFromHalf(from[i]);
  else
    for (int64_t i = 0; i < count; ++i)
      to[i] = floatFromHalf(from[i * stride]);
}

#if defined(__x86_64__)
/// One instruction for eight, where there is one.
__attribute__((target("avx,f16c"))) static int64_t
widenHalfF16c(const uint16_t *from, float *to, int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(
                                 reinterpret_cast<const __m128i *>(from + i))));
  return i;
}

static int64_t widenHalfFast(const uint16_t *from, float *to, int64_t count) {
  static const bool supported = __builtin_cpu_supports("f16c");
  return supported ? widenHalfF16c(from, to, count) : 0;
}
#else
static int64_t widenHalfFast(const uint16_t *, float *, int64_t) { return 0; }
#endif

BSM_EACH_CPU static void widenBFloat(const uint16_t *from, int64_t stride,
                                     float *to, int64_t count) {
  if (stride == 1)
    for (int64_t i = 0; i < count; ++i)
      to[i] = floatFromBFloat(from[i]);
  else
    for (int64_t i = 0; i < count; ++i)
      to[i] = floatFromBFloat(from[i * stride]);
}

BSM_EACH_CPU static void narrowHalf(const float *from, uint16_t *to,
                                    int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = halfFromFloat(from[i]);
}

BSM_EACH_CPU static void narrowBFloat(const float *from, uint16_t *to,
                                      int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = bfloatFromFloat(from[i]);
}

void runtime::widen(const void *from, DType type, int64_t stride, float *to,
                    int64_t count) {
  if (type == DType::F16) {
    auto *halves = static_cast<const uint16_t *>(from);
    int64_t done = stride == 1 ? widenHalfFast(halves, to, count) : 0;
    return widenHalf(halves + done, stride, to + done, count - done);
  }
  if (type == DType::BF16)
    return widenBFloat(static_cast<const uint16_t *>(from), stride, to, count);
  auto *floats = static_cast<const float *>(from);
  for (int64_t i = 0; i < count; ++i)
    to[i] = floats[i * stride];
}

void runtime::narrow(const float *from, void *to, DType type, int64_t count) {
  if (type == DType::F16)
    return narrowHalf(from, static_cast<uint16_t *>(to), count);
  if (type == DType::BF16)
    return narrowBFloat(from, static_cast<uint16_t *>(to), count);
  std::memcpy(to, from, count * sizeof(float));
}

void runtime::accumulate(const float *from, float *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] += from[i];
}
