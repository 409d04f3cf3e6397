//===- result.h - Value or error, without exceptions ------------*- C++ -*-===//
//
// Every fallible function of Bessemer returns Result<T>. Nothing in the
// library throws; parts built without exceptions use the same type.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_RESULT_H
#define BESSEMER_RESULT_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace bessemer {

/// What went wrong, in the terms a caller can act on. The names double as the
/// Python exception classes (python/bessemer/errors.py).
enum class ErrorKind {
  InvalidArgument, ///< A value, shape, dtype or option that is not allowed.
  NotFound,        ///< A file, kernel, function or name that does not exist.
  Compile,         ///< The user's source does not compile.
  Corrupt,         ///< A file that is damaged, truncated or foreign.
  Fault,           ///< Compiled kernel code faulted while it ran.
  Interrupted,     ///< The user interrupted the work.
  Unsupported,     ///< Valid, but this build cannot do it; says what can.
  Internal,        ///< A defect in Bessemer.
};

struct Error {
  ErrorKind kind = ErrorKind::Internal;
  std::string message; ///< A sentence that names the thing and the way out.
};

template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }
  T &operator*() { return value(); }
  const T &operator*() const { return std::get<0>(state); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &std::get<0>(state); }
  T &value() {
    assert(state.index() == 0 && "value() of a failed Result");
    return std::get<0>(state);
  }
  const Error &error() const {
    assert(state.index() == 1 && "error() of a successful Result");
    return std::get<1>(state);
  }

private:
  std::variant<T, Error> state;
};

/// A Result without a value.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failed(true), theError(std::move(error)) {}
  explicit operator bool() const { return !failed; }
  const Error &error() const { return theError; }

private:
  bool failed = false;
  Error theError;
};

inline Error makeError(ErrorKind kind, std::string message) {
  return Error{kind, std::move(message)};
}

} // namespace bessemer

#endif // BESSEMER_RESULT_H
