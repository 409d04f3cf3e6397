// Functions over the four lanes of a quadgroup.
#pragma once

namespace metal {

struct quad_vote {
  using vote_t = ulong;
  constexpr explicit quad_vote(vote_t bits = 0) : bits(bits & 15) {}
  constexpr explicit operator vote_t() const { return bits; }
  constexpr bool all() const { return bits == 15; }
  constexpr bool any() const { return bits != 0; }

private:
  vote_t bits;
};

// The first lane of this thread's quadgroup.
inline uint __quadBase() { return __laneIndex() & ~3u; }
inline uint __quadBallot(bool value) {
  return (__ballot(value) >> __quadBase()) & 15u;
}
template <typename T> inline T __quadShuffle(T value, uint lane) {
  return __shuffle(value, __quadBase() + (lane & 3u));
}

inline quad_vote quad_ballot(bool value) {
  return quad_vote(__quadBallot(value));
}
inline quad_vote quad_active_threads_mask() { return quad_ballot(true); }
inline bool quad_all(bool value) { return __quadBallot(!value) == 0; }
inline bool quad_any(bool value) { return __quadBallot(value) != 0; }
inline uint __quadFirst() { return (uint)__builtin_ctz(__quadBallot(true)); }
inline bool quad_is_first() {
  return (__laneIndex() & 3u) == __quadFirst();
}

template <typename T> inline T quad_shuffle(T value, ushort lane) {
  return __quadShuffle(value, lane);
}
template <typename T> inline T quad_broadcast(T value, ushort lane) {
  return __quadShuffle(value, lane);
}
template <typename T> inline T quad_broadcast_first(T value) {
  return __quadShuffle(value, __quadFirst());
}
template <typename T> inline T quad_shuffle_xor(T value, ushort mask) {
  return __quadShuffle(value, __laneIndex() ^ mask);
}
template <typename T> inline T quad_shuffle_down(T value, ushort delta) {
  uint place = __laneIndex() & 3u;
  return __quadShuffle(value, place + delta < 4u ? place + delta : place);
}
template <typename T> inline T quad_shuffle_up(T value, ushort delta) {
  uint place = __laneIndex() & 3u;
  return __quadShuffle(value, place >= delta ? place - delta : place);
}
template <typename T> inline T quad_shuffle_rotate_down(T value, ushort delta) {
  return __quadShuffle(value, __laneIndex() + delta);
}
template <typename T> inline T quad_shuffle_rotate_up(T value, ushort delta) {
  return __quadShuffle(value, __laneIndex() - delta);
}
template <typename T>
inline T quad_shuffle_and_fill_down(T value, T fill, ushort delta,
                                    ushort modulo = 4) {
  return __fillDown(value, fill, delta, modulo);
}
template <typename T>
inline T quad_shuffle_and_fill_up(T value, T fill, ushort delta,
                                  ushort modulo = 4) {
  return __fillUp(value, fill, delta, modulo);
}

// Reductions over active lanes: an inactive lane contributes the identity.
#define __BSM_QUAD_REDUCTION(name, identity, expression)                       \
  template <typename T> inline T quad_##name(T value) {                        \
    uint active = __quadBallot(true);                                          \
    T result = value;                                                          \
    for (uint step = 1; step < 4; ++step) {                                    \
      uint from = (__laneIndex() ^ step) & 3u;                                 \
      T other = __quadShuffle(value, from);                                    \
      T a = result, b = active >> from & 1u ? other : T(identity);             \
      result = (T)(expression);                                                \
    }                                                                          \
    return result;                                                             \
  }
__BSM_QUAD_REDUCTION(sum, 0, a + b)
__BSM_QUAD_REDUCTION(product, 1, a *b)
__BSM_QUAD_REDUCTION(min, value, min(a, b))
__BSM_QUAD_REDUCTION(max, value, max(a, b))
__BSM_QUAD_REDUCTION(and, ~T(0), a &b)
__BSM_QUAD_REDUCTION(or, 0, a | b)
__BSM_QUAD_REDUCTION(xor, 0, a ^ b)
#undef __BSM_QUAD_REDUCTION

#define __BSM_QUAD_SCAN(name, identity, expression, last)                      \
  template <typename T> inline T quad_prefix_##name(T value) {                 \
    uint active = __quadBallot(true), place = __laneIndex() & 3u;              \
    T result = T(identity);                                                    \
    for (uint from = 0; from < 4; ++from) {                                    \
      T other = __quadShuffle(value, from);                                    \
      if (from last place && (active >> from & 1u)) {                          \
        T a = result, b = other;                                               \
        result = (T)(expression);                                              \
      }                                                                        \
    }                                                                          \
    return result;                                                             \
  }
__BSM_QUAD_SCAN(inclusive_sum, 0, a + b, <=)
__BSM_QUAD_SCAN(exclusive_sum, 0, a + b, <)
__BSM_QUAD_SCAN(inclusive_product, 1, a *b, <=)
__BSM_QUAD_SCAN(exclusive_product, 1, a *b, <)
#undef __BSM_QUAD_SCAN

} // namespace metal
