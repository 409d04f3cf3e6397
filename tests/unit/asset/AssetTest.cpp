//===- AssetTest.cpp - The .aimodel container -----------------------------===//
#include "asset/Asset.h"

#include "../TemporaryFolder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

using namespace bessemer;
using namespace bessemer::test;
namespace fs = std::filesystem;

namespace {
struct Asset : testing::Test {
  TemporaryFolder folder;
  fs::path path = folder.path / "deep" / "er" / "net.aimodel";
  const std::string bytecode = std::string("ML\xef"
                                           "R\0program",
                                           12);

  void save() {
    AssetMetadata metadata;
    metadata.author = "Ada";
    metadata.creatorDefined = {{"task", "vision"}};
    metadata.creationDate = 1700000000;
    Status status = asset::save(path, bytecode, metadata);
    ASSERT_TRUE(status) << status.error().message;
  }
  /// The message of opening what is there now.
  std::string openError(ErrorKind kind = ErrorKind::Corrupt) {
    Result<asset::Asset> opened = asset::open(path);
    EXPECT_FALSE(opened);
    if (opened)
      return {};
    EXPECT_EQ(opened.error().kind, kind);
    EXPECT_NE(opened.error().message.find(path.string()), std::string::npos);
    return opened.error().message;
  }
};

bool has(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}
} // namespace

TEST(Sha256, KnownAnswers) { // FIPS 180-2, appendix B
  EXPECT_EQ(asset::toHex(asset::sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(asset::toHex(asset::sha256("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_F(Asset, SurvivesARoundTrip) {
  save();
  Result<asset::Asset> opened = asset::open(path);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->bytecode, bytecode);
  EXPECT_EQ(opened->metadata.author, "Ada");
  EXPECT_EQ(opened->metadata.creatorDefined.at("task"), "vision");
  EXPECT_EQ(opened->metadata.creationDate, 1700000000);
  EXPECT_TRUE(opened->producer.starts_with("bessemer "));
  EXPECT_EQ(readFile(path / "main.hash").size(), 32u);
  std::string metadata = readFile(path / "metadata.json");
  EXPECT_TRUE(has(metadata, "\"assetVersion\": \"bessemer-1\""));
  EXPECT_TRUE(has(metadata, "\"creationDate\": \"20231114T221320Z\""));
  EXPECT_FALSE(has(metadata, "license"));
}

TEST_F(Asset, SavingReplacesAndLeavesNothingBeside) {
  save();
  fs::path extra = path / "left-over";
  writeFile(extra, "x");
  std::string before = readFile(path / "metadata.json");
  save();
  EXPECT_FALSE(fs::exists(extra));
  EXPECT_EQ(readFile(path / "metadata.json"), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}), 1);
}

TEST_F(Asset, ReadersNeverSeeHalfAnAsset) {
  save();
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; i < 40; ++i)
      save();
    stop = true;
  });
  while (!stop) {
    // The members may be of two versions that are alike; none may be missing
    // while the path is looked up anew.
    EXPECT_TRUE(fs::exists(path));
  }
  writer.join();
  EXPECT_TRUE(asset::open(path));
}

TEST_F(Asset, DateIsReproducible) {
  ::setenv("SOURCE_DATE_EPOCH", "86400", 1);
  ASSERT_TRUE(asset::save(path, bytecode, {}));
  EXPECT_TRUE(has(readFile(path / "metadata.json"), "19700102T000000Z"));
  ::setenv("SOURCE_DATE_EPOCH", "yesterday", 1);
  Status status = asset::save(path, bytecode, {});
  ::unsetenv("SOURCE_DATE_EPOCH");
  ASSERT_FALSE(status);
  EXPECT_TRUE(has(status.error().message, "SOURCE_DATE_EPOCH"));
}

TEST_F(Asset, RefusesBadTargets) {
  Status status = asset::save(folder.path / "net.foo", bytecode, {});
  ASSERT_FALSE(status);
  EXPECT_TRUE(has(status.error().message, ".aimodel extension, got '.foo'"));
  writeFile(folder.path / "file.aimodel", "x");
  status = asset::save(folder.path / "file.aimodel", bytecode, {});
  ASSERT_FALSE(status);
  EXPECT_TRUE(has(status.error().message, "is a file"));
  // A folder with something of the user's in it stays.
  fs::path full = folder.path / "full.aimodel";
  fs::create_directory(full);
  writeFile(full / "precious.txt", "x");
  status = asset::save(full, bytecode, {});
  ASSERT_FALSE(status);
  EXPECT_TRUE(has(status.error().message, "a folder with other files in it"));
  EXPECT_TRUE(fs::exists(full / "precious.txt"));
  fs::remove(full / "precious.txt");
  EXPECT_TRUE(asset::save(full, bytecode, {}));
}

TEST_F(Asset, ErrorsNameFileAndCause) {
  EXPECT_TRUE(has(openError(ErrorKind::NotFound), "no such file"));
  fs::create_directories(path.parent_path());
  writeFile(path, "x");
  EXPECT_TRUE(has(openError(), "an .aimodel is a directory"));
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_TRUE(has(openError(), "metadata.json is missing"));
  save();
  fs::remove(path / "main.mlirb");
  EXPECT_TRUE(has(openError(), "main.mlirb is missing"));
  save();
  fs::remove(path / "main.hash");
  EXPECT_TRUE(has(openError(), "main.hash is missing"));
  save();
  writeFile(path / "main.hash", "short");
  EXPECT_TRUE(has(openError(), "5 bytes instead of 32"));
  save();
  writeFile(path / "metadata.json", "{");
  EXPECT_TRUE(has(openError(), "not valid JSON"));
  writeFile(path / "metadata.json", "[]");
  EXPECT_TRUE(has(openError(), "a JSON object is wanted"));
  writeFile(path / "metadata.json", "{}");
  EXPECT_TRUE(has(openError(), "has no 'assetVersion'"));
  for (const char *member : {"author", "creationDate", "producer"}) {
    writeFile(path / "metadata.json", R"({"assetVersion": "bessemer-1", ")" +
                                          std::string(member) + R"(": 5})");
    EXPECT_TRUE(has(openError(), "must be a string, it is number"));
    EXPECT_FALSE(has(openError(), "json.exception"));
  }
  writeFile(path / "metadata.json", R"({"assetVersion": "2.0"})");
  EXPECT_TRUE(has(openError(), "Apple"));
  writeFile(path / "metadata.json", R"({"assetVersion": "bessemer-9"})");
  EXPECT_TRUE(has(openError(), "this build reads"));
}

TEST_F(Asset, EveryFlippedBitAndTruncationIsFound) {
  save();
  for (size_t at = 0; at < bytecode.size(); ++at) {
    std::string damaged = bytecode;
    damaged[at] ^= 0x10;
    writeFile(path / "main.mlirb", damaged);
    EXPECT_TRUE(has(openError(), "does not match main.hash"));
    writeFile(path / "main.mlirb", bytecode.substr(0, at));
    EXPECT_TRUE(has(openError(), "does not match main.hash"));
  }
}
