// os_log. Messages are type-checked; the machine does not record them.
#pragma once

namespace metal {

enum os_log_type {
  os_log_type_debug,
  os_log_type_info,
  os_log_type_default,
  os_log_type_error,
  os_log_type_fault,
};

struct os_log {
  constexpr os_log() = default;
  constexpr os_log(const char *, const char *) {}
  template <typename... A> void log(const char *, A...) const {}
  template <typename... A> void log_debug(const char *, A...) const {}
  template <typename... A> void log_info(const char *, A...) const {}
  template <typename... A> void log_error(const char *, A...) const {}
  template <typename... A> void log_fault(const char *, A...) const {}
  template <typename... A>
  void log_with_type(os_log_type, const char *, A...) const {}
};
constant os_log os_log_default = os_log();

} // namespace metal
