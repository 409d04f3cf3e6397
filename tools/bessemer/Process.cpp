//===- Process.cpp - bessemer devices, cache, version ---------------------===//
#include "Text.h"
#include "Verbs.h"

#include "bessemer/kernel.h"
#include "bessemer/process.h"

#include <array>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace bessemer;
using namespace bessemer::cli;

void cli::addDevices(CLI::App &app, Action &action) {
  CLI::App *verb = app.add_subcommand("devices", "Where kernels can run");
  auto json = std::make_shared<bool>(false);
  verb->add_flag("--json", *json, "As JSON");
  verb->callback([json, &action] {
    action = [json] {
      if (*json)
        std::cout << nlohmann::json(Device::names()).dump() << "\n";
      else
        for (const std::string &name : Device::names())
          std::cout << name << "\n";
      return Done;
    };
  });
}

static void printJson(const nlohmann::json &root) {
  std::cout << root.dump(-1, ' ', false,
                         nlohmann::json::error_handler_t::replace)
            << "\n";
}

static std::string readableSize(uint64_t bytes) {
  if (bytes < 1024)
    return std::to_string(bytes) + " bytes";
  double size = bytes;
  const char *unit = "";
  for (const char *next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (size < 1024)
      break;
    size /= 1024;
    unit = next;
  }
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f %s", size, unit);
  return text.data();
}

static int showCache(bool json) {
  CacheStatistics cache = cacheStatistics();
  if (json)
    printJson({{"directory", cache.directory},
               {"reason", cache.reason},
               {"entries", cache.entries},
               {"bytes", cache.bytes},
               {"limit", cache.limit}});
  else if (cache.directory.empty())
    std::cout << "no cache: " << printable(cache.reason) << "\n";
  else
    std::cout << printable(cache.directory) << ": " << cache.entries
              << " entries, " << readableSize(cache.bytes) << " of "
              << readableSize(cache.limit) << "\n";
  return Done;
}

static int emptyCache(bool json) {
  CacheStatistics before = cacheStatistics();
  if (Status status = clearCache(); !status)
    return report(status.error());
  if (json)
    printJson({{"directory", before.directory},
               {"reason", before.reason},
               {"removed_entries", before.entries},
               {"removed_bytes", before.bytes}});
  else if (before.directory.empty())
    std::cout << "no cache: " << printable(before.reason) << "\n";
  else
    std::cout << printable(before.directory) << ": " << before.entries
              << " entries removed, " << readableSize(before.bytes) << "\n";
  return Done;
}

void cli::addCache(CLI::App &app, Action &action) {
  CLI::App *verb = app.add_subcommand("cache", "The compiled code on disk");
  auto clear = std::make_shared<bool>(false);
  auto json = std::make_shared<bool>(false);
  verb->add_flag("--clear", *clear, "Remove every entry");
  verb->add_flag("--json", *json, "As JSON");
  verb->callback([clear, json, &action] {
    action = [clear, json] {
      return *clear ? emptyCache(*json) : showCache(*json);
    };
  });
}

void cli::addVersion(CLI::App &app, Action &action) {
  CLI::App *verb = app.add_subcommand("version", "The version");
  verb->callback([&action] {
    action = [] {
      std::cout << "bessemer " << version() << "\n";
      return Done;
    };
  });
}
