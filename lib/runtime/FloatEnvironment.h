//===- FloatEnvironment.h - Rounding and denormals --------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_FLOATENVIRONMENT_H
#define BESSEMER_RUNTIME_FLOATENVIRONMENT_H

#include <cstdint>

namespace bessemer::runtime {

/// While alive: round to nearest even, denormals kept, no exceptions trapped,
/// so that results do not depend on what the application set.
class FloatEnvironment {
public:
  FloatEnvironment() : saved(read()) {
    if (saved != standard)
      write(standard);
  }
  ~FloatEnvironment() { write(saved); }
  FloatEnvironment(const FloatEnvironment &) = delete;
  FloatEnvironment &operator=(const FloatEnvironment &) = delete;

private:
#if defined(__x86_64__)
  using Control = uint32_t;
  static constexpr Control standard = 0x1f80; // MXCSR at process start
  static Control read() { return __builtin_ia32_stmxcsr(); }
  static void write(Control value) { __builtin_ia32_ldmxcsr(value); }
#elif defined(__aarch64__)
  using Control = uint64_t;
  static constexpr Control standard = 0; // FPCR at process start
  static Control read() {
    Control value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void write(Control value) {
    asm volatile("msr fpcr, %0" : : "r"(value));
  }
#else
#error "no floating-point control register known for this CPU"
#endif
  Control saved;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_FLOATENVIRONMENT_H
