//===- CodeCache.cpp - What determines compiled code ----------------------===//
#include "api/CodeCache.h"

#include "api/CompilerLoader.h"

#include <array>
#include <fstream>

using namespace bessemer;

/// Headers that the compiler itself provides.
static bool isBuiltinHeader(std::string_view name) {
  return name.starts_with("<metal_") || name.starts_with("<simd/");
}

/// Is the word at `at` the name of a preprocessor directive?
static bool isDirective(std::string_view source, size_t at) {
  while (at > 0 && (source[at - 1] == ' ' || source[at - 1] == '\t'))
    --at;
  return at > 0 && (source[at - 1] == '#' || source[at - 1] == ':');
}

bool api::isSelfContained(std::string_view source,
                          const CompileOptions &options) {
  if (!options.includeDirs.empty())
    return false;
  for (std::string_view word :
       {"__has_include", "__has_embed", "__DATE__", "__TIME"})
    if (source.find(word) != std::string_view::npos)
      return false;
  for (std::string_view word : {"include", "import", "embed"})
    for (size_t at = source.find(word); at != std::string_view::npos;
         at = source.find(word, at + 1)) {
      if (!isDirective(source, at))
        continue;
      size_t name = source.find_first_not_of(" \t_next", at + word.size());
      if (name == std::string_view::npos ||
          !isBuiltinHeader(source.substr(name)))
        return false;
    }
  return true;
}

std::optional<runtime::CacheKey> api::sourceKey(std::string_view source,
                                                const CompileOptions &options) {
  Result<std::string> compiler = compilerBuildId();
  if (!compiler)
    return std::nullopt;
  runtime::CacheKey key("source");
  key.add(*compiler).add(source).add(options.fileName);
  key.add(options.firstLine).add(uint64_t(options.math)).add(options.language);
  key.add(options.defines.size());
  for (const auto &[name, value] : options.defines)
    key.add(name).add(value);
  key.add(options.functionConstants.size());
  for (auto [index, bits] : options.functionConstants)
    key.add(index).add(bits);
  return key;
}

const std::string &api::cpuIdentity() {
  static const std::string identity = [] {
    // The first CPU's description; what names a CPU differs by architecture.
    std::ifstream file("/proc/cpuinfo");
    std::string text, line;
    while (std::getline(file, line) && !line.empty())
      for (std::string_view field : {"vendor_id", "cpu family", "model",
                                     "stepping", "flags", "Features", "CPU "})
        if (line.starts_with(field))
          text += line + "\n";
    return text;
  }();
  return identity;
}
