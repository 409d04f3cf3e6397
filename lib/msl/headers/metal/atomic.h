// Atomic objects in device and threadgroup memory. All orders are relaxed.
#pragma once

namespace metal {

template <typename T> struct atomic {
  static_assert(is_same_v<T, int> || is_same_v<T, uint> || is_same_v<T, bool> ||
                    is_same_v<T, float> || is_same_v<T, ulong> ||
                    is_same_v<T, long>,
                "atomic takes int, uint, bool, float and 64-bit integers");
  T __value;
};
template <typename T> using _atomic = atomic<T>;
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<bool> atomic_bool;
typedef atomic<float> atomic_float;
typedef atomic<ulong> atomic_ulong;

// Floats move as bits: not every machine has atomic float loads.
template <typename T> using __atomicBits = conditional_t<is_same_v<T, float>,
                                                         uint, T>;
template <typename T> constexpr __atomicBits<T> __toBits(T value) {
  return __builtin_bit_cast(__atomicBits<T>, value);
}
template <typename T> constexpr T __fromBits(__atomicBits<T> bits) {
  return __builtin_bit_cast(T, bits);
}

#define __BSM_BITS(S, object) ((S __atomicBits<T> *)&(object)->__value)
#define __BSM_RELAXED __ATOMIC_RELAXED

#define __BSM_FETCH(S, name)                                                   \
  template <typename T>                                                        \
  inline T atomic_fetch_##name##_explicit(volatile S atomic<T> *object,        \
                                          type_identity_t<T> operand,          \
                                          memory_order) {                      \
    return __atomic_fetch_##name((S T *)&object->__value, operand,             \
                                 __BSM_RELAXED);                               \
  }
// Machines have no float minimum; a compare-and-exchange loop stands in.
#define __BSM_EXTREME(S, name, better)                                         \
  template <typename T>                                                        \
  inline T atomic_fetch_##name##_explicit(volatile S atomic<T> *object,        \
                                          type_identity_t<T> operand,          \
                                          memory_order) {                      \
    if constexpr (!is_same_v<T, float>) {                                      \
      return __atomic_fetch_##name((S T *)&object->__value, operand,           \
                                   __BSM_RELAXED);                             \
    } else {                                                                   \
      S uint *bits = (S uint *)&object->__value;                               \
      uint old = __atomic_load_n(bits, __BSM_RELAXED);                         \
      while (operand better __fromBits<float>(old) &&                          \
             !__atomic_compare_exchange_n(bits, &old, __toBits(operand), true, \
                                          __BSM_RELAXED, __BSM_RELAXED))       \
        ;                                                                      \
      return __fromBits<float>(old);                                           \
    }                                                                          \
  }                                                                            \
  template <typename T>                                                        \
  inline void atomic_##name##_explicit(volatile S atomic<T> *object,           \
                                       type_identity_t<T> operand,             \
                                       memory_order order) {                   \
    atomic_fetch_##name##_explicit(object, operand, order);                    \
  }
#define __BSM_ATOMICS(S)                                                       \
  template <typename T>                                                        \
  inline void atomic_store_explicit(volatile S atomic<T> *object,              \
                                    type_identity_t<T> value, memory_order) {  \
    __atomic_store_n(__BSM_BITS(S, object), __toBits(value), __BSM_RELAXED);   \
  }                                                                            \
  template <typename T>                                                        \
  inline T atomic_load_explicit(const volatile S atomic<T> *object,            \
                                memory_order) {                                \
    return __fromBits<T>(                                                      \
        __atomic_load_n(__BSM_BITS(S, object), __BSM_RELAXED));                \
  }                                                                            \
  template <typename T>                                                        \
  inline T atomic_exchange_explicit(volatile S atomic<T> *object,              \
                                    type_identity_t<T> value, memory_order) {  \
    return __fromBits<T>(__atomic_exchange_n(                                  \
        __BSM_BITS(S, object), __toBits(value), __BSM_RELAXED));               \
  }                                                                            \
  template <typename T>                                                        \
  inline bool atomic_compare_exchange_weak_explicit(                           \
      volatile S atomic<T> *object, T *expected, type_identity_t<T> desired,   \
      memory_order, memory_order) {                                            \
    return __atomic_compare_exchange_n(                                        \
        __BSM_BITS(S, object), (__atomicBits<T> *)expected, __toBits(desired), \
        true, __BSM_RELAXED, __BSM_RELAXED);                                   \
  }                                                                            \
  __BSM_FETCH(S, add)                                                          \
  __BSM_FETCH(S, sub)                                                          \
  __BSM_FETCH(S, and)                                                          \
  __BSM_FETCH(S, or)                                                           \
  __BSM_FETCH(S, xor)                                                          \
  __BSM_EXTREME(S, min, <)                                                     \
  __BSM_EXTREME(S, max, >)
__BSM_ATOMICS(__global)
__BSM_ATOMICS(__local)
#undef __BSM_ATOMICS
#undef __BSM_EXTREME
#undef __BSM_FETCH
#undef __BSM_RELAXED
#undef __BSM_BITS

} // namespace metal
