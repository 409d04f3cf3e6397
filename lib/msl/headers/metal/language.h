// The words of the language: address spaces, function qualifiers, scalars.
#pragma once

#define device __global
#define constant const __constant
#define Constant __constant
#define threadgroup __local __attribute__((__bsm_threadgroup))
#define thread
#define kernel __attribute__((__bsm_kernel))
#define coherent(...)
#define $(...) __attribute__((__VA_ARGS__))

#define __METAL__ 1
#define __HAVE_BFLOAT__ 1
#define __HAVE_SIMDGROUP_BALLOT__ 1
#define __HAVE_SIMDGROUP_REDUCTION__ 1
#define __HAVE_SIMDGROUP_MATRIX__ 1
#define __HAVE_TENSOR__ 1

typedef _Float16 half;
typedef __bfloat bfloat;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef unsigned long uintptr_t;
typedef long intptr_t;
typedef decltype(nullptr) nullptr_t;

// `double` is a plain identifier here. The keyword `float` is a single precision
// number and spelled __double inside `long __double`, the type of literals.
typedef float double
    __attribute__((unavailable("Metal has no double; use float")));

constexpr half operator""h(long __double value) { return (half)value; }
constexpr half operator""h(unsigned long long value) { return (half)value; }
// `1.0bf` is read as `1.0_b`.
constexpr bfloat operator""_b(long __double value) {
  return (bfloat)value;
}
constexpr bfloat operator""_b(unsigned long long value) {
  return (bfloat)value;
}

// A function of the machine: its name in kernel IR. Attributes come from the
// table of intrinsics; `const` and `convergent` repeat what the parser needs.
#define __BSM_PURE(name)                                                       \
  __asm__("bsm." name) __attribute__((const, nothrow))
#define __BSM_LANES(name)                                                      \
  __asm__("bsm." name) __attribute__((const, convergent, nothrow))
#define __BSM_EFFECT(name)                                                     \
  __asm__("bsm." name) __attribute__((convergent, nothrow))

#define METAL_FUNC inline __attribute__((always_inline))
#define METAL_CONST __attribute__((const))
#define METAL_PURE __attribute__((pure))

// Whether the host set a function constant; see the front end's attributes.
#define is_function_constant_defined(name) __bsm_defined_##name
