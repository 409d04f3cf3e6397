//===- File.h - Files mapped, read and written whole ------------*- C++ -*-===//
#ifndef BESSEMER_ASSET_FILE_H
#define BESSEMER_ASSET_FILE_H

#include "bessemer/result.h"

#include <filesystem>
#include <memory>
#include <string_view>

namespace bessemer::asset {

/// "No such file or directory" for an errno value.
std::string errnoText(int code);

struct MappedFile {
  std::string_view bytes;
  std::shared_ptr<void> mapping; ///< Unmaps with its last owner.
};

/// Maps a regular file read-only. Errors name the file.
Result<MappedFile> mapFile(const std::filesystem::path &path);

enum class Flush { No, ToDevice };

/// Creates `path`, which must not exist, with these bytes.
Status writeFile(const std::filesystem::path &path, std::string_view bytes,
                 Flush flush);

/// Flushes a directory's entries.
Status syncDirectory(const std::filesystem::path &path);

/// Renames `from` to `to`; an existing `to` changes places with it.
Status renameOver(const std::filesystem::path &from,
                  const std::filesystem::path &to);

} // namespace bessemer::asset

#endif // BESSEMER_ASSET_FILE_H
