//===- Abi.h - Strings and status over the compiler's C ABI -----*- C++ -*-===//
#ifndef BESSEMER_API_ABI_H
#define BESSEMER_API_ABI_H

#include "bessemer/abi/compiler.h"
#include "bessemer/result.h"
#include "runtime/Fork.h"

#include <string_view>

namespace bessemer::api {

inline bsm_text text(std::string_view view) {
  return {view.data(), view.size()};
}

/// A string that the compiler half allocated.
class OwnedString {
public:
  explicit OwnedString(const bsm_compiler_api &api) : api(api) {}
  ~OwnedString() {
    if (raw.data)
      api.free_string(raw);
  }
  OwnedString(const OwnedString &) = delete;
  OwnedString &operator=(const OwnedString &) = delete;

  bsm_string *out() { return &raw; }
  std::string_view view() const {
    return raw.data ? std::string_view(raw.data, raw.size) : std::string_view();
  }

private:
  const bsm_compiler_api &api;
  bsm_string raw{nullptr, 0};
};

/// The Status that a call returned with this code and message.
inline Status statusFrom(bsm_status code, const OwnedString &message) {
  if (code == 0)
    return {};
  auto kind = code >= 1 && code <= 1 + int(ErrorKind::Internal)
                  ? static_cast<ErrorKind>(code - 1)
                  : ErrorKind::Internal;
  return makeError(kind, std::string(message.view()));
}

/// Calls function `member` of the table with `arguments` and a message slot.
template <typename Function, typename... Args>
Status call(const bsm_compiler_api &api, Function bsm_compiler_api::*member,
            Args... arguments) {
  if (!(api.*member))
    return makeError(ErrorKind::Unsupported,
                     "the compiler that is installed cannot do this; install "
                     "one of the same version");
  runtime::ForkSection section; // LLVM has locks.
  OwnedString message(api);
  bsm_status code = (api.*member)(arguments..., message.out());
  return statusFrom(code, message);
}

/// The same for functions whose last result is a string.
template <typename Function, typename... Args>
Result<std::string> callForString(const bsm_compiler_api &api,
                                  Function bsm_compiler_api::*member,
                                  Args... arguments) {
  OwnedString result(api);
  Status status = call(api, member, arguments..., result.out());
  if (!status)
    return status.error();
  return std::string(result.view());
}

} // namespace bessemer::api

#endif // BESSEMER_API_ABI_H
