//===- Text.h - Strings and errors over the C ABI ---------------*- C++ -*-===//
#ifndef BESSEMER_COMPILER_TEXT_H
#define BESSEMER_COMPILER_TEXT_H

#include "bessemer/abi/compiler.h"
#include "bessemer/result.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace bessemer::compiler {

inline std::string_view view(bsm_text text) {
  return text.size ? std::string_view(text.data, text.size)
                   : std::string_view();
}

inline bsm_text text(std::string_view view) {
  return {view.data(), view.size()};
}

/// A copy that bsm_compiler_api::free_string releases.
inline bsm_string copy(std::string_view view) {
  auto *data = static_cast<char *>(std::malloc(view.size() + 1));
  if (!data)
    return {nullptr, 0};
  std::memcpy(data, view.data(), view.size());
  data[view.size()] = 0;
  return {data, view.size()};
}

/// Reports `error` through `message` and returns its status.
inline bsm_status fail(const Error &error, bsm_string *message) {
  if (message)
    *message = copy(error.message);
  return 1 + static_cast<bsm_status>(error.kind);
}

inline bsm_status finish(const Status &status, bsm_string *message) {
  return status ? 0 : fail(status.error(), message);
}

/// Stores a string result in `out`.
inline bsm_status finish(const Result<std::string> &result, bsm_string *out,
                         bsm_string *message) {
  if (!result)
    return fail(result.error(), message);
  *out = copy(*result);
  return 0;
}

} // namespace bessemer::compiler

#endif // BESSEMER_COMPILER_TEXT_H
