//===- DiskCacheTest.cpp --------------------------------------------------===//
#include "runtime/DiskCache.h"

#include "../TemporaryFolder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <vector>

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::test;
namespace fs = std::filesystem;

namespace {
struct Cache : testing::Test {
  TemporaryFolder folder;
  fs::path path = folder.path / "a" / "cache";

  CacheKey key(std::string_view name) { return CacheKey("test").add(name); }
  fs::path onlyEntry() { return fs::directory_iterator(path)->path(); }
};
} // namespace

TEST_F(Cache, KeysTellPartsApart) {
  EXPECT_NE(CacheKey("x").add("ab").add("c").name(),
            CacheKey("x").add("a").add("bc").name());
  EXPECT_EQ(CacheKey("x").add(7).name(), CacheKey("x").add(7).name());
}

TEST_F(Cache, KeepsEntriesBetweenInstances) {
  std::string bytes("zero\0inside", 11);
  DiskCache(path, 1 << 20).put(key("a"), bytes);
  DiskCache cache(path, 1 << 20);
  EXPECT_EQ(cache.get(key("a")), bytes);
  EXPECT_EQ(cache.get(key("b")), std::nullopt);
  CacheStatistics statistics = cache.statistics();
  EXPECT_EQ(statistics.directory, path.string());
  EXPECT_EQ(statistics.entries, 1u);
  EXPECT_EQ(statistics.hits, 1u);
  EXPECT_EQ(statistics.misses, 1u);
  struct stat status;
  ::stat(path.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  EXPECT_TRUE(cache.clear());
  EXPECT_EQ(cache.get(key("a")), std::nullopt);
}

TEST_F(Cache, DamagedEntriesAreNone) {
  DiskCache cache(path, 1 << 20);
  cache.put(key("a"), "payload");
  std::string entry = readFile(onlyEntry());
  for (size_t at = 0; at < entry.size(); ++at) {
    std::string damaged = entry;
    damaged[at] ^= 1;
    writeFile(onlyEntry(), damaged);
    EXPECT_EQ(cache.get(key("a")), std::nullopt) << at;
    writeFile(onlyEntry(), entry.substr(0, at));
    EXPECT_EQ(cache.get(key("a")), std::nullopt) << at;
  }
  cache.put(key("a"), "payload");
  EXPECT_EQ(cache.get(key("a")), "payload");
}

TEST_F(Cache, RemovesTheLeastRecentlyUsed) {
  DiskCache cache(path, 10000);
  std::string bytes(2000, 'x');
  auto age = [&](std::string_view name, int hours) {
    fs::last_write_time(path / (key(name).name() + ".entry"),
                        fs::file_time_type::clock::now() -
                            std::chrono::hours(hours));
  };
  int hours = 10;
  for (const char *name : {"a", "b", "c", "d"}) {
    cache.put(key(name), bytes);
    age(name, hours--);
  }
  EXPECT_TRUE(cache.get(key("a"))); // now the youngest
  cache.put(key("e"), bytes);
  EXPECT_TRUE(cache.get(key("a")));
  EXPECT_FALSE(cache.get(key("b")));
  EXPECT_TRUE(cache.get(key("e")));
  EXPECT_LE(cache.statistics().bytes, 10000u);
}

TEST_F(Cache, FoldersOpenToOthersAreNotUsed) {
  fs::create_directories(path);
  ::chmod(path.c_str(), 0755);
  DiskCache cache(path, 1 << 20);
  cache.put(key("a"), "payload");
  EXPECT_FALSE(cache.get(key("a")));
  EXPECT_EQ(cache.statistics().directory, "");
  EXPECT_NE(cache.statistics().reason.find("chmod 700"), std::string::npos);
  writeFile(folder.path / "file", "");
  DiskCache noFolder(folder.path / "file" / "cache", 1 << 20);
  noFolder.put(key("a"), "payload");
  EXPECT_FALSE(noFolder.get(key("a")));
}

TEST_F(Cache, ServesManyThreads) {
  DiskCache cache(path, 20000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        std::string name = std::to_string((i * 7 + t) % 20);
        cache.put(key(name), std::string(1500, name[0]));
        if (auto bytes = cache.get(key(name)))
          EXPECT_EQ(*bytes, std::string(1500, name[0]));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_LE(cache.statistics().bytes, 24000u);
}
