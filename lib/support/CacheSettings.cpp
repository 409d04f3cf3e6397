//===- CacheSettings.cpp - What the environment says of the cache ---------===//
#include "support/CacheFolder.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

using namespace bessemer;
namespace fs = std::filesystem;

static constexpr const char *folderVariable = "BESSEMER_CACHE";
static constexpr const char *limitVariable = "BESSEMER_CACHE_LIMIT";

static std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// "off" and what people write for it, in any case; a folder of that name can
/// still be given as "./off".
static bool isOff(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  });
  for (std::string_view word : {"off", "no", "none", "false", "0"})
    if (text == word)
      return true;
  return false;
}

static fs::path defaultFolder() {
  // The XDG specification: relative paths are to be ignored.
  if (fs::path xdg = variable("XDG_CACHE_HOME"); xdg.is_absolute())
    return xdg / "bessemer";
  fs::path home = variable("HOME");
  return home.is_absolute() ? home / ".cache" / "bessemer" : fs::path();
}

/// Bytes of a number of MiB.
static Result<uint64_t> parseLimit(const std::string &text) {
  uint64_t mebibytes = 0;
  const char *end = text.data() + text.size();
  auto [stop, failure] = std::from_chars(text.data(), end, mebibytes);
  if (failure != std::errc() || stop != end || mebibytes == 0 ||
      mebibytes > UINT64_MAX >> 20)
    return makeError(ErrorKind::InvalidArgument,
                     std::string(limitVariable) + "=" + text +
                         ": a whole number of MiB from 1 on is wanted; " +
                         folderVariable + "=off keeps no cache");
  return mebibytes << 20;
}

CacheSettings CacheSettings::fromEnvironment() {
  CacheSettings settings;
  std::string folder = variable(folderVariable);
  if (isOff(folder)) {
    settings.reason = std::string(folderVariable) + " is off";
    return settings;
  }
  // A relative path keeps its meaning when the program changes its folder.
  std::error_code failure;
  settings.folder =
      folder.empty() ? defaultFolder() : fs::absolute(folder, failure);
  if (settings.folder.empty())
    settings.reason = "there is no home folder; set BESSEMER_CACHE";
  // "D/" has no last name to create.
  if (!settings.folder.has_filename())
    settings.folder = settings.folder.parent_path();
  if (std::string limit = variable(limitVariable); !limit.empty()) {
    Result<uint64_t> bytes = parseLimit(limit);
    if (bytes) {
      settings.limit = *bytes;
    } else {
      settings.status = bytes.error();
      settings.reason = bytes.error().message;
    }
  }
  return settings;
}
