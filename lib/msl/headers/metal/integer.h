// Integer functions.
#pragma once

namespace metal {

template <typename T> constexpr int __bitWidth = 8 * sizeof(T);

template <typename T> constexpr T __popcount(T a) {
  return (T)__builtin_popcountg((make_unsigned_t<T>)a);
}
template <typename T> constexpr T __clz(T a) {
  return a ? (T)__builtin_clzg((make_unsigned_t<T>)a) : (T)__bitWidth<T>;
}
template <typename T> constexpr T __ctz(T a) {
  return a ? (T)__builtin_ctzg((make_unsigned_t<T>)a) : (T)__bitWidth<T>;
}
template <typename T> constexpr T __reverseBits(T a) {
  return (T)__builtin_elementwise_bitreverse((make_unsigned_t<T>)a);
}
template <typename T> constexpr T __rotate(T a, T count) {
  using U = make_unsigned_t<T>;
  uint left = (uint)count & (__bitWidth<T> - 1);
  uint right = (__bitWidth<T> - left) & (__bitWidth<T> - 1);
  return (T)(U)((U)((U)a << left) | (U)((U)a >> right));
}
template <typename T> constexpr make_unsigned_t<T> __absdiff(T a, T b) {
  using U = make_unsigned_t<T>;
  return a < b ? (U)((U)b - (U)a) : (U)((U)a - (U)b);
}
template <typename T> constexpr T __addSaturated(T a, T b) {
  using U = make_unsigned_t<T>;
  T sum = (T)(U)((U)a + (U)b);
  if constexpr (!is_signed_v<T>)
    return sum < a ? (T)-1 : sum;
  else
    return (T)((a ^ sum) & (b ^ sum)) < 0
               ? (a < 0 ? numeric_limits<T>::min() : numeric_limits<T>::max())
               : sum;
}
template <typename T> constexpr T __subSaturated(T a, T b) {
  using U = make_unsigned_t<T>;
  T difference = (T)(U)((U)a - (U)b);
  if constexpr (!is_signed_v<T>)
    return a < b ? (T)0 : difference;
  else
    return (T)((a ^ b) & (a ^ difference)) < 0
               ? (a < 0 ? numeric_limits<T>::min() : numeric_limits<T>::max())
               : difference;
}
template <typename T> constexpr T __hadd(T a, T b) {
  return (T)((a >> 1) + (b >> 1) + (a & b & 1));
}
template <typename T> constexpr T __rhadd(T a, T b) {
  return (T)((a >> 1) + (b >> 1) + ((a | b) & 1));
}
constexpr ulong __mulhiUnsigned(ulong a, ulong b) {
  ulong aLow = (uint)a, aHigh = a >> 32, bLow = (uint)b, bHigh = b >> 32;
  ulong middle = aHigh * bLow + (aLow * bLow >> 32);
  ulong other = aLow * bHigh + (uint)middle;
  return aHigh * bHigh + (middle >> 32) + (other >> 32);
}
template <typename T> constexpr T __mulhi(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    ulong high = __mulhiUnsigned((ulong)a, (ulong)b);
    if constexpr (is_signed_v<T>)
      high -= (a < 0 ? (ulong)b : 0) + (b < 0 ? (ulong)a : 0);
    return (T)high;
  } else {
    using W = conditional_t<is_signed_v<T>, long, ulong>;
    return (T)((W)a * (W)b >> __bitWidth<T>);
  }
}
template <typename T> constexpr T __madhi(T a, T b, T c) {
  return (T)(__mulhi(a, b) + c);
}
template <typename T> constexpr T __maddSaturated(T a, T b, T c) {
  if constexpr (sizeof(T) < 8) {
    using W = conditional_t<is_signed_v<T>, long, ulong>;
    W sum = (W)a * (W)b + (W)c;
    W low = (W)numeric_limits<T>::min(), high = (W)numeric_limits<T>::max();
    return (T)(sum < low ? low : sum > high ? high : sum);
  } else {
    T low = (T)((ulong)a * (ulong)b), high = __mulhi(a, b);
    if constexpr (!is_signed_v<T>) {
      return high ? (T)-1 : __addSaturated(low, c);
    } else {
      // The 128-bit sum of product and c, then saturated.
      T sum = (T)((ulong)low + (ulong)c);
      high += (c < 0 ? -1 : 0) + ((ulong)sum < (ulong)low ? 1 : 0);
      return high == (sum < 0 ? -1 : 0) ? sum
             : high < 0                 ? numeric_limits<T>::min()
                                        : numeric_limits<T>::max();
    }
  }
}
template <typename T> constexpr T __mul24(T a, T b) { return (T)(a * b); }
template <typename T> constexpr T __mad24(T a, T b, T c) {
  return (T)(a * b + c);
}

#define __BSM_INTEGER1(name, function)                                         \
  template <typename A, typename = enable_if_t<is_integral_v<A>>>              \
  constexpr auto name(A a) {                                                   \
    return __map<__element<A>, __widthOf<A>>(                                  \
        [&](auto i) { return function(__part<i.value>(a)); });                 \
  }
// R is the element type of the result, made from T.
#define __BSM_INTEGER2(name, function, R)                                      \
  template <typename A, typename B,                                            \
            typename = enable_if_t<is_integral_v<A> && is_integral_v<B> &&     \
                                   __areOperands<A, B>>>                       \
  constexpr auto name(A a, B b) {                                              \
    using scalar = __number2<__element<A>, __element<B>>;                      \
    using T = typename __operandElement<scalar, A, B>::type;                   \
    return __map<R, __commonWidth<A, B>>([&](auto i) {                         \
      return function(__at<T, i.value>(a), __at<T, i.value>(b));               \
    });                                                                        \
  }
#define __BSM_INTEGER3(name, function)                                         \
  template <typename A, typename B, typename C,                                \
            typename = enable_if_t<is_integral_v<A> && is_integral_v<B> &&     \
                                   is_integral_v<C> &&                         \
                                   __areOperands<A, B, C>>>                    \
  constexpr auto name(A a, B b, C c) {                                         \
    using scalar =                                                             \
        __number2<__number2<__element<A>, __element<B>>, __element<C>>;        \
    using T = typename __operandElement<scalar, A, B, C>::type;                \
    return __map<T, __commonWidth<A, B, C>>([&](auto i) {                      \
      return function(__at<T, i.value>(a), __at<T, i.value>(b),                \
                      __at<T, i.value>(c));                                    \
    });                                                                        \
  }
__BSM_INTEGER1(popcount, __popcount)
__BSM_INTEGER1(clz, __clz)
__BSM_INTEGER1(ctz, __ctz)
__BSM_INTEGER1(reverse_bits, __reverseBits)
__BSM_INTEGER2(rotate, __rotate, T)
__BSM_INTEGER2(absdiff, __absdiff, make_unsigned_t<T>)
__BSM_INTEGER2(addsat, __addSaturated, T)
__BSM_INTEGER2(subsat, __subSaturated, T)
__BSM_INTEGER2(hadd, __hadd, T)
__BSM_INTEGER2(rhadd, __rhadd, T)
__BSM_INTEGER2(mulhi, __mulhi, T)
__BSM_INTEGER2(mul24, __mul24, T)
__BSM_INTEGER3(madhi, __madhi)
__BSM_INTEGER3(madsat, __maddSaturated)
__BSM_INTEGER3(mad24, __mad24)
#undef __BSM_INTEGER1
#undef __BSM_INTEGER2
#undef __BSM_INTEGER3

template <typename T>
constexpr T __extractBits(T value, uint offset, uint bits) {
  if (bits == 0)
    return 0;
  uint unused = __bitWidth<T> - bits;
  return (T)((T)(value << (unused - offset)) >> unused);
}
template <typename T>
constexpr T __insertBits(T base, T insert, uint offset, uint bits) {
  using U = make_unsigned_t<T>;
  if (bits == 0)
    return base;
  U mask = (U)((U)((U)~(U)0 >> (__bitWidth<T> - bits)) << offset);
  return (T)(((U)base & (U)~mask) | ((U)((U)insert << offset) & mask));
}
template <typename A, typename = enable_if_t<is_integral_v<A>>>
constexpr A extract_bits(A value, uint offset, uint bits) {
  return __map<__element<A>, __widthOf<A>>([&](auto i) {
    return __extractBits(__part<i.value>(value), offset, bits);
  });
}
template <typename A, typename = enable_if_t<is_integral_v<A>>>
constexpr A insert_bits(A base, A insert, uint offset, uint bits) {
  return __map<__element<A>, __widthOf<A>>([&](auto i) {
    return __insertBits(__part<i.value>(base), __part<i.value>(insert), offset,
                        bits);
  });
}

} // namespace metal
