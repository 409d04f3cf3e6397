// os_log. Messages are type-checked; the machine does not record them, which a
// warning says.
#pragma once

namespace metal {

enum os_log_type {
  os_log_type_debug,
  os_log_type_info,
  os_log_type_default,
  os_log_type_error,
  os_log_type_fault,
};

#define __BSM_DROPPED                                                          \
  __attribute__((diagnose_if(                                                  \
      true, "messages of os_log are dropped; write to a buffer", "warning")))

struct os_log {
  constexpr os_log() = default;
  constexpr os_log(constant char *, constant char *) {}
  template <typename... A> void log(constant char *, A...) const __BSM_DROPPED {}
  template <typename... A> void log_debug(constant char *, A...) const __BSM_DROPPED {}
  template <typename... A> void log_info(constant char *, A...) const __BSM_DROPPED {}
  template <typename... A> void log_error(constant char *, A...) const __BSM_DROPPED {}
  template <typename... A> void log_fault(constant char *, A...) const __BSM_DROPPED {}
  template <typename... A>
  void log_with_type(os_log_type, constant char *, A...) const __BSM_DROPPED {}
};
#undef __BSM_DROPPED
constant os_log os_log_default = os_log();

} // namespace metal
