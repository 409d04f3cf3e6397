// Functions over the lanes of a simdgroup (32 wide).
#pragma once

namespace metal {

uint __laneIndex() __BSM_PURE("thread_index_in_simdgroup");
uint __shuffleBits(uint value, uint lane) __BSM_LANES("shuffle.b32");
uint __ballot(bool) __BSM_LANES("ballot");

// `value` of lane `lane`, for every type, over 32-bit pieces.
template <typename T> inline T __shuffle(T value, uint lane) {
  if constexpr (is_vector_v<T>) {
    return __map<__element<T>, __widthOf<T>>(
        [&](auto i) { return __shuffle(__part<i.value>(value), lane); });
  } else if constexpr (is_same_v<T, bool>) {
    return __shuffleBits(value, lane) != 0;
  } else if constexpr (sizeof(T) == 1) {
    return __builtin_bit_cast(
        T, (uchar)__shuffleBits(__builtin_bit_cast(uchar, value), lane));
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(
        T, (ushort)__shuffleBits(__builtin_bit_cast(ushort, value), lane));
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(
        T, __shuffleBits(__builtin_bit_cast(uint, value), lane));
  } else {
    static_assert(sizeof(T) == 8, "simd functions take numbers and vectors");
    ulong bits = __builtin_bit_cast(ulong, value);
    ulong low = __shuffleBits((uint)bits, lane);
    ulong high = __shuffleBits((uint)(bits >> 32), lane);
    return __builtin_bit_cast(T, low | high << 32);
  }
}

struct simd_vote {
  using vote_t = ulong;
  constexpr explicit simd_vote(vote_t bits = 0) : bits(bits) {}
  constexpr explicit operator vote_t() const { return bits; }
  constexpr bool all() const { return bits == 0xfffffffful; }
  constexpr bool any() const { return bits != 0; }

private:
  vote_t bits;
};

inline simd_vote simd_ballot(bool value) { return simd_vote(__ballot(value)); }
inline simd_vote simd_active_threads_mask() { return simd_ballot(true); }
inline bool simd_all(bool value) { return __ballot(!value) == 0; }
inline bool simd_any(bool value) { return __ballot(value) != 0; }
inline uint __firstLane() { return (uint)__builtin_ctz(__ballot(true)); }
inline bool simd_is_first() { return __laneIndex() == __firstLane(); }

template <typename T> inline T simd_shuffle(T value, ushort lane) {
  return __shuffle(value, lane & 31u);
}
template <typename T> inline T simd_broadcast(T value, ushort lane) {
  return __shuffle(value, lane & 31u);
}
template <typename T> inline T simd_broadcast_first(T value) {
  return __shuffle(value, __firstLane());
}
template <typename T> inline T simd_shuffle_xor(T value, ushort mask) {
  return __shuffle(value, (__laneIndex() ^ mask) & 31u);
}
// A lane without a source keeps its own value.
template <typename T> inline T simd_shuffle_down(T value, ushort delta) {
  uint lane = __laneIndex(), from = lane + delta;
  return __shuffle(value, from < 32u ? from : lane);
}
template <typename T> inline T simd_shuffle_up(T value, ushort delta) {
  uint lane = __laneIndex();
  return __shuffle(value, lane >= delta ? lane - delta : lane);
}
template <typename T> inline T simd_shuffle_rotate_down(T value, ushort delta) {
  return __shuffle(value, (__laneIndex() + delta) & 31u);
}
template <typename T> inline T simd_shuffle_rotate_up(T value, ushort delta) {
  return __shuffle(value, (__laneIndex() - delta) & 31u);
}

// Within segments of `modulo` lanes; lanes without a source take from `fill`.
template <typename T>
inline T __fillDown(T value, T fill, uint delta, uint modulo) {
  uint lane = __laneIndex(), place = lane & (modulo - 1u);
  uint from = (lane & ~(modulo - 1u)) + ((place + delta) & (modulo - 1u));
  T inside = __shuffle(value, from), outside = __shuffle(fill, from);
  return place + delta < modulo ? inside : outside;
}
template <typename T>
inline T __fillUp(T value, T fill, uint delta, uint modulo) {
  uint lane = __laneIndex(), place = lane & (modulo - 1u);
  uint from = (lane & ~(modulo - 1u)) + ((place - delta) & (modulo - 1u));
  T inside = __shuffle(value, from), outside = __shuffle(fill, from);
  return place >= delta ? inside : outside;
}
template <typename T>
inline T simd_shuffle_and_fill_down(T value, T fill, ushort delta,
                                    ushort modulo = 32) {
  return __fillDown(value, fill, delta, modulo);
}
template <typename T>
inline T simd_shuffle_and_fill_up(T value, T fill, ushort delta,
                                  ushort modulo = 32) {
  return __fillUp(value, fill, delta, modulo);
}

// Reductions and scans: the machine has them for 32 and 64-bit numbers.
template <typename T>
using __machineType = conditional_t<
    is_floating_point_v<T>, float,
    conditional_t<sizeof(T) == 8, T,
                  conditional_t<is_signed_v<T>, int, uint>>>;

#define __BSM_MACHINE_OPERATION(name, T, suffix)                               \
  T __machine_##name(T) __BSM_LANES("simd_" #name "." suffix);
#define __BSM_OVER_LANES(name)                                                      \
  template <typename T> inline T simd_##name(T value) {                        \
    if constexpr (is_vector_v<T>)                                              \
      return __map<__element<T>, __widthOf<T>>(                                \
          [&](auto i) { return simd_##name(__part<i.value>(value)); });        \
    else                                                                       \
      return (T)__machine_##name((__machineType<T>)value);                     \
  }
#define __BSM_REDUCTION(name)                                                  \
  __BSM_MACHINE_OPERATION(name, float, "f32")                                  \
  __BSM_MACHINE_OPERATION(name, int, "i32")                                    \
  __BSM_MACHINE_OPERATION(name, uint, "u32")                                   \
  __BSM_MACHINE_OPERATION(name, long, "i64")                                   \
  __BSM_MACHINE_OPERATION(name, ulong, "u64")                                  \
  __BSM_OVER_LANES(name)
__BSM_REDUCTION(sum)
__BSM_REDUCTION(product)
__BSM_REDUCTION(min)
__BSM_REDUCTION(max)

// 64-bit scans: the machine has none. One active lane after the other, as lanes
// between them may be inactive.
#define __BSM_WIDE_SCAN(name, start, op, compare)                              \
  inline ulong __wide_##name(ulong value) {                                    \
    ulong result = start;                                                      \
    uint lane = __laneIndex(), active = __ballot(true);                        \
    for (uint i = 0; i < 32u; ++i) {                                           \
      ulong other = __shuffle(value, active >> i & 1u ? i : __firstLane());    \
      if ((active >> i & 1u) && i compare lane)                                \
        result = result op other;                                              \
    }                                                                          \
    return result;                                                             \
  }
#define __BSM_SCAN(name, start, op, compare)                                   \
  __BSM_MACHINE_OPERATION(name, float, "f32")                                  \
  __BSM_MACHINE_OPERATION(name, int, "i32")                                    \
  __BSM_MACHINE_OPERATION(name, uint, "u32")                                   \
  __BSM_WIDE_SCAN(name, start, op, compare)                                    \
  template <typename T> inline T simd_##name(T value) {                        \
    if constexpr (is_vector_v<T>)                                              \
      return __map<__element<T>, __widthOf<T>>(                                \
          [&](auto i) { return simd_##name(__part<i.value>(value)); });        \
    else if constexpr (sizeof(T) == 8)                                         \
      return (T)__wide_##name((ulong)value);                                   \
    else                                                                       \
      return (T)__machine_##name((__machineType<T>)value);                     \
  }
__BSM_SCAN(prefix_inclusive_sum, 0, +, <=)
__BSM_SCAN(prefix_exclusive_sum, 0, +, <)
__BSM_SCAN(prefix_inclusive_product, 1, *, <=)
__BSM_SCAN(prefix_exclusive_product, 1, *, <)

// Bitwise ones work on the bits; wider numbers in two halves.
#define __BSM_BITWISE(name)                                                    \
  __BSM_MACHINE_OPERATION(name, uint, "u32")                                   \
  template <typename T> inline T simd_##name(T value) {                        \
    if constexpr (is_vector_v<T>)                                              \
      return __map<__element<T>, __widthOf<T>>(                                \
          [&](auto i) { return simd_##name(__part<i.value>(value)); });        \
    else if constexpr (is_floating_point_v<T>)                                 \
      return __builtin_bit_cast(                                               \
          T, simd_##name(__builtin_bit_cast(__bitsOf<T>, value)));             \
    else if constexpr (sizeof(T) == 8)                                         \
      return (T)((ulong)__machine_##name((uint)value) |                        \
                 (ulong)__machine_##name((uint)((ulong)value >> 32)) << 32);   \
    else                                                                       \
      return (T)__machine_##name((uint)value);                                 \
  }
__BSM_BITWISE(and)
__BSM_BITWISE(or)
__BSM_BITWISE(xor)

#undef __BSM_MACHINE_OPERATION
#undef __BSM_OVER_LANES
#undef __BSM_REDUCTION
#undef __BSM_SCAN
#undef __BSM_WIDE_SCAN
#undef __BSM_BITWISE

} // namespace metal
