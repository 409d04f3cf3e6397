//===- Process.cpp - bessemer devices, cache, version ---------------------===//
#include "Verbs.h"

#include "bessemer/kernel.h"
#include "bessemer/process.h"

#include <iostream>

using namespace bessemer;
using namespace bessemer::cli;

void cli::addDevices(CLI::App &app, Action &action) {
  CLI::App *verb = app.add_subcommand("devices", "Where kernels can run");
  verb->callback([&action] {
    action = [] {
      for (const std::string &name : Device::names())
        std::cout << name << "\n";
      return Done;
    };
  });
}

static int showCache() {
  CacheStatistics cache = cacheStatistics();
  if (cache.directory.empty())
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
  verb->add_flag("--clear", *clear, "Remove every entry");
  verb->callback([clear, &action] {
    action = [clear] { return *clear ? emptyCache() : showCache(); };
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
