//===- TemporaryFolder.h - A folder for one test ----------------*- C++ -*-===//
#ifndef BESSEMER_TESTS_TEMPORARYFOLDER_H
#define BESSEMER_TESTS_TEMPORARYFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace bessemer::test {

/// Exists, mode 0700, as long as this does.
struct TemporaryFolder {
  TemporaryFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "bessemer-test-XXXXXX")
            .string();
    path = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
};

inline std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

inline void writeFile(const std::filesystem::path &path,
                      const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace bessemer::test

#endif // BESSEMER_TESTS_TEMPORARYFOLDER_H
