// Type traits.
#pragma once

namespace metal {

template <typename T, T v> struct integral_constant {
  static constexpr T value = v;
  using value_type = T;
  using type = integral_constant;
  constexpr operator T() const { return v; }
  constexpr T operator()() const { return v; }
};
template <bool b> using bool_constant = integral_constant<bool, b>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <bool, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { using type = T; };
template <bool b, typename T = void>
using enable_if_t = typename enable_if<b, T>::type;

template <bool, typename T, typename F> struct conditional { using type = T; };
template <typename T, typename F> struct conditional<false, T, F> {
  using type = F;
};
template <bool b, typename T, typename F>
using conditional_t = typename conditional<b, T, F>::type;

template <typename T> struct type_identity { using type = T; };
template <typename T> using type_identity_t = typename type_identity<T>::type;

template <typename T> struct __remove_address_space { using type = T; };
template <typename T> struct __remove_address_space<__global T> {
  using type = T;
};
template <typename T> struct __remove_address_space<__local T> {
  using type = T;
};
template <typename T> struct __remove_address_space<__constant T> {
  using type = T;
};
template <typename T>
using remove_addrspace_t = typename __remove_address_space<T>::type;

template <typename T> struct remove_reference { using type = T; };
template <typename T> struct remove_reference<T &> { using type = T; };
template <typename T> struct remove_reference<T &&> { using type = T; };
template <typename T>
using remove_reference_t = typename remove_reference<T>::type;
template <typename T> struct remove_cv { using type = __remove_cv(T); };
template <typename T> using remove_cv_t = __remove_cv(T);
template <typename T> struct remove_const { using type = __remove_const(T); };
template <typename T> using remove_const_t = __remove_const(T);
template <typename T> struct remove_volatile {
  using type = __remove_volatile(T);
};
template <typename T> using remove_volatile_t = __remove_volatile(T);
template <typename T> struct remove_pointer { using type = T; };
template <typename T> struct remove_pointer<T *> { using type = T; };
template <typename T> using remove_pointer_t = typename remove_pointer<T>::type;
template <typename T> struct remove_cvref {
  using type = remove_addrspace_t<remove_cv_t<remove_reference_t<T>>>;
};
template <typename T> using remove_cvref_t = typename remove_cvref<T>::type;
template <typename T> struct decay { using type = __decay(T); };
template <typename T> using decay_t = __decay(T);
template <typename T> struct add_const { using type = const T; };
template <typename T> using add_const_t = const T;
template <typename T> struct add_pointer { using type = T *; };
template <typename T> using add_pointer_t = T *;
template <typename T> using add_lvalue_reference_t = T &;

#define __BSM_TRAIT(name, ...)                                                 \
  template <typename T> struct name : bool_constant<(__VA_ARGS__)> {};         \
  template <typename T> constexpr bool name##_v = (__VA_ARGS__);
#define __BSM_TRAIT2(name, ...)                                                \
  template <typename T, typename U>                                            \
  struct name : bool_constant<(__VA_ARGS__)> {};                               \
  template <typename T, typename U> constexpr bool name##_v = (__VA_ARGS__);

template <typename T> struct __vector_traits;

__BSM_TRAIT2(is_same, __is_same(T, U))
__BSM_TRAIT2(is_convertible, __is_convertible(T, U))
__BSM_TRAIT2(is_base_of, __is_base_of(T, U))
__BSM_TRAIT2(is_assignable, __is_assignable(T, U))
__BSM_TRAIT(is_const, __is_const(T))
__BSM_TRAIT(is_volatile, __is_volatile(T))
__BSM_TRAIT(is_pointer, __is_pointer(T))
__BSM_TRAIT(is_void, __is_void(T))
__BSM_TRAIT(is_reference, __is_reference(T))
__BSM_TRAIT(is_lvalue_reference, __is_lvalue_reference(T))
__BSM_TRAIT(is_class, __is_class(T))
__BSM_TRAIT(is_enum, __is_enum(T))
__BSM_TRAIT(is_union, __is_union(T))
__BSM_TRAIT(is_array, __is_array(T))
__BSM_TRAIT(is_function, __is_function(T))
__BSM_TRAIT(is_trivially_copyable, __is_trivially_copyable(T))
__BSM_TRAIT(is_default_constructible, __is_constructible(T))
// Of vectors, the element decides.
__BSM_TRAIT(is_integral, __is_integral(typename __vector_traits<T>::element))
__BSM_TRAIT(is_floating_point,
            __is_same(typename __vector_traits<T>::element, float) ||
                __is_same(typename __vector_traits<T>::element, half) ||
                __is_same(typename __vector_traits<T>::element, bfloat))
__BSM_TRAIT(is_arithmetic, is_integral_v<T> || is_floating_point_v<T>)
__BSM_TRAIT(is_signed, is_floating_point_v<T> ||
                           __is_signed(typename __vector_traits<T>::element))
__BSM_TRAIT(is_unsigned, __is_unsigned(typename __vector_traits<T>::element))
__BSM_TRAIT(is_scalar, __is_scalar(T))
__BSM_TRAIT(is_vector, (__vector_traits<T>::isVector))
__BSM_TRAIT(negation, !bool(T::value))
template <typename T, typename... A>
struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <typename T, typename... A>
constexpr bool is_constructible_v = __is_constructible(T, A...);

template <typename...> struct conjunction : true_type {};
template <typename A, typename... B>
struct conjunction<A, B...>
    : conditional_t<bool(A::value), conjunction<B...>, A> {};
template <typename... A> constexpr bool conjunction_v = conjunction<A...>::value;
template <typename...> struct disjunction : false_type {};
template <typename A, typename... B>
struct disjunction<A, B...>
    : conditional_t<bool(A::value), A, disjunction<B...>> {};
template <typename... A> constexpr bool disjunction_v = disjunction<A...>::value;
// Names that public sources use.
template <typename... A> using _conjunction = conjunction<A...>;
template <typename... A> using _disjunction = disjunction<A...>;

#define __BSM_SIGNS(s, u)                                                      \
  template <> struct __make_unsigned<s> { using type = u; };                   \
  template <> struct __make_signed<u> { using type = s; };
template <typename T> struct __make_unsigned { using type = T; };
template <typename T> struct __make_signed { using type = T; };
__BSM_SIGNS(signed char, uchar)
template <> struct __make_unsigned<char> { using type = uchar; };
__BSM_SIGNS(short, ushort)
__BSM_SIGNS(int, uint)
__BSM_SIGNS(long, ulong)
template <typename T> struct make_unsigned : __make_unsigned<T> {};
template <typename T> struct make_signed : __make_signed<T> {};
template <typename T> using make_unsigned_t = typename make_unsigned<T>::type;
template <typename T> using make_signed_t = typename make_signed<T>::type;

template <typename T> T &&declval();
template <typename T> void swap(T &a, T &b) {
  T old = a;
  a = b;
  b = old;
}

template <typename T, T... values> struct integer_sequence {
  using value_type = T;
  static constexpr size_t size() { return sizeof...(values); }
};
template <size_t... values>
using index_sequence = integer_sequence<size_t, values...>;
template <typename T, T n>
using make_integer_sequence = __make_integer_seq<integer_sequence, T, n>;
template <size_t n> using make_index_sequence = make_integer_sequence<size_t, n>;

// A value that the caller promises to be the same in all threads.
template <typename T> using uniform = T;
template <typename T> constexpr T make_uniform(T value) { return value; }

} // namespace metal
