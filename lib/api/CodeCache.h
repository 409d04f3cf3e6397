//===- CodeCache.h - What determines compiled code --------------*- C++ -*-===//
#ifndef BESSEMER_API_CODECACHE_H
#define BESSEMER_API_CODECACHE_H

#include "bessemer/compiler.h"
#include "runtime/DiskCache.h"

#include <optional>

namespace bessemer::api {

/// False if compiling the source may read files of the user or the clock, so
/// that its text does not determine the result. Errs on the side of false.
bool isSelfContained(std::string_view source, const CompileOptions &options);

/// Key of what the front end makes of a self-contained source; nothing without
/// a compiler to ask for its build id.
std::optional<runtime::CacheKey> sourceKey(std::string_view source,
                                           const CompileOptions &options);

/// Names this machine's kind of CPU: its model and features.
const std::string &cpuIdentity();

} // namespace bessemer::api

#endif // BESSEMER_API_CODECACHE_H
