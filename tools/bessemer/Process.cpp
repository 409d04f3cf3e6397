//===- Process.cpp - bessemer devices, cache, version ---------------------===//
#include "Verbs.h"

#include "bessemer/kernel.h"
#include "bessemer/process.h"

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

static int showCache(bool json) {
  CacheStatistics cache = cacheStatistics();
  if (json)
    std::cout << nlohmann::json{{"directory", cache.directory},
                                {"reason", cache.reason},
                                {"entries", cache.entries},
                                {"bytes", cache.bytes},
                                {"limit", cache.limit}}
                     .dump(-1, ' ', false,
                           nlohmann::json::error_handler_t::replace)
              << "\n";
  else if (cache.directory.empty())
    std::cout << "no cache: " << cache.reason << "\n";
  else
    std::cout << cache.directory << ": " << cache.entries << " entries, "
              << cache.bytes << " of " << cache.limit << " bytes\n";
  return Done;
}

static int emptyCache() {
  Status status = clearCache();
  return status ? Done : report(status.error());
}

void cli::addCache(CLI::App &app, Action &action) {
  CLI::App *verb = app.add_subcommand("cache", "The compiled code on disk");
  auto clear = std::make_shared<bool>(false);
  auto json = std::make_shared<bool>(false);
  verb->add_flag("--clear", *clear, "Remove every entry");
  verb->add_flag("--json", *json, "As JSON");
  verb->callback([clear, json, &action] {
    action = [clear, json] { return *clear ? emptyCache() : showCache(*json); };
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
