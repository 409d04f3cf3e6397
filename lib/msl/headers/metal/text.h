// String literals: arrays in constant memory.
#pragma once

template <char... C> struct __bsm_array_of_text {
  static constexpr constant char data[] = {C..., 0};
};

// The front end gives every literal this suffix, see TextLiterals.h.
template <typename T, T... C>
constexpr auto operator""__bsm_text() -> constant char (&)[sizeof...(C) + 1] {
  return __bsm_array_of_text<C...>::data;
}

template <size_t N>
inline constant char *__bsm_function_name(const char (&name)[N]) {
  return (constant char *)name;
}
#define __func__ __bsm_function_name(__func__)
#define __FUNCTION__ __bsm_function_name(__FUNCTION__)
#define __PRETTY_FUNCTION__ __bsm_function_name(__PRETTY_FUNCTION__)
