//===- CacheFolderTest.cpp ------------------------------------------------===//
#include "support/CacheFolder.h"

#include "../TemporaryFolder.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>

using namespace bessemer;
using namespace bessemer::test;
namespace fs = std::filesystem;

namespace {
struct Folder : testing::Test {
  TemporaryFolder temporary;
  fs::path path = temporary.path / "cache";

  uint64_t bytesOnDisk() {
    uint64_t bytes = 0;
    for (const auto &entry : fs::directory_iterator(path))
      bytes += entry.file_size();
    return bytes;
  }
};

/// Sets variables, and puts back what they were.
struct Environment : testing::Test {
  void set(const char *name, const char *value) {
    const char *old = std::getenv(name);
    saved.emplace_back(name, old ? old : "");
    ::setenv(name, value, 1);
  }
  CacheSettings with(const char *folder, const char *limit) {
    set("BESSEMER_CACHE", folder);
    set("BESSEMER_CACHE_LIMIT", limit);
    return CacheSettings::fromEnvironment();
  }
  void TearDown() override {
    for (auto it = saved.rbegin(); it != saved.rend(); ++it)
      ::setenv(it->first.c_str(), it->second.c_str(), 1);
  }
  std::vector<std::pair<std::string, std::string>> saved;
};
} // namespace

TEST_F(Folder, CountsAndRemovesEveryKind) {
  CacheFolder folder(path, 1 << 20);
  folder.store("a.entry", {"12", "345"});
  folder.store("b.pch", {"67"});
  writeFile(path / "notes.txt", "the user's");
  EXPECT_EQ(readFile(path / "a.entry"), "12345");
  EXPECT_EQ(folder.contents().files, 2u);
  EXPECT_EQ(folder.contents().bytes, 7u);
  EXPECT_TRUE(folder.clear());
  EXPECT_EQ(folder.contents().files, 0u);
  EXPECT_EQ(readFile(path / "notes.txt"), "the user's");
}

TEST_F(Folder, IsNeverLargerThanItsLimit) {
  // Two of them, as two processes or both halves of one have.
  CacheFolder one(path, 100000), two(path, 100000);
  std::string small(1300, 's'), large(40000, 'l');
  for (int i = 0; i < 60; ++i) {
    std::string name = std::to_string(i);
    one.store(name + ".entry", {small});
    EXPECT_LE(bytesOnDisk(), 100000u) << i;
    two.store(name + ".pch", {i % 3 ? small : large});
    EXPECT_LE(bytesOnDisk(), 100000u) << i;
  }
  EXPECT_GT(bytesOnDisk(), 30000u);
  one.store("huge.pch", {std::string(100001, 'h')});
  EXPECT_FALSE(fs::exists(path / "huge.pch"));
}

TEST_F(Folder, AFullDiskLeavesNothing) {
  CacheFolder folder(path, 1 << 20);
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old;
  ::getrlimit(RLIMIT_FSIZE, &old);
  rlimit small{4096, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  folder.store("a.pch", {std::string(100000, 'x')});
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(fs::is_empty(path));
  folder.store("a.pch", {"x"});
  EXPECT_EQ(readFile(path / "a.pch"), "x");
}

TEST_F(Environment, FolderAndLimit) {
  CacheSettings settings = with("/some/folder/", "3");
  EXPECT_EQ(settings.folder, "/some/folder");
  EXPECT_EQ(settings.limit, 3u << 20);
  EXPECT_EQ(settings.reason, "");
  EXPECT_EQ(with("here", "").folder, fs::current_path() / "here");
  EXPECT_EQ(with("here", "").limit, 1024u << 20);
  set("XDG_CACHE_HOME", "/xdg");
  EXPECT_EQ(with("", "").folder, "/xdg/bessemer");
}

TEST_F(Environment, OffInAnyCase) {
  for (const char *word : {"off", "OFF", "Off", "none", "0", "False", "no"})
    EXPECT_EQ(with(word, "").reason, "BESSEMER_CACHE is off") << word;
  EXPECT_EQ(with("./off", "").reason, "");
}

TEST_F(Environment, LimitsThatMakeNoSense) {
  for (const char *limit : {"-1", "99999999999999999999", "17592186044416",
                            "abc", "0", "1.5", "2e3", "1 ", "0x10"}) {
    CacheSettings settings = with("/some/folder", limit);
    ASSERT_FALSE(settings.status) << limit;
    EXPECT_EQ(settings.status.error().message,
              "BESSEMER_CACHE_LIMIT=" + std::string(limit) +
                  ": a whole number of MiB from 1 on is wanted; "
                  "BESSEMER_CACHE=off keeps no cache");
    EXPECT_EQ(settings.reason, settings.status.error().message);
  }
}
