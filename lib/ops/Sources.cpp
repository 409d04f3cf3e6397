//===- Sources.cpp - The operator library's Metal sources -----------------===//
#include "ops/Sources.h"

#include <map>

const std::string &bessemer::ops::source(std::string_view name) {
  static const std::map<std::string, std::string, std::less<>> sources = {
#include "ops/EmbeddedSources.inc"
  };
  static const std::string none;
  auto found = sources.find(name);
  return found == sources.end() ? none : found->second;
}
