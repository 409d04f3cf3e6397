//===- Save.cpp - Writing an asset whole or not at all --------------------===//
#include "asset/Asset.h"
#include "asset/File.h"
#include "asset/Metadata.h"

#include <atomic>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

using namespace bessemer;
namespace fs = std::filesystem;

namespace {
/// A directory beside the asset; whatever it holds goes with the scope.
struct StagingDirectory {
  fs::path path;
  ~StagingDirectory() {
    std::error_code ignored;
    if (!path.empty())
      fs::remove_all(path, ignored);
  }
};
} // namespace

static Result<fs::path> makeStaging(const fs::path &path) {
  fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code failure;
  fs::create_directories(parent, failure);
  if (failure)
    return makeError(ErrorKind::InvalidArgument,
                     parent.string() +
                         ": cannot create the folder: " + failure.message());
  static std::atomic<unsigned> serial{0};
  for (;;) {
    // Without the asset's name, to which nothing may be added if it is long.
    std::string name = ".saving." + std::to_string(::getpid()) + "." +
                       std::to_string(serial++) + ".aimodel";
    if (::mkdir((parent / name).c_str(), 0777) == 0)
      return parent / name;
    if (errno != EEXIST)
      return makeError(ErrorKind::InvalidArgument,
                       parent.string() + ": cannot write into this folder: " +
                           asset::errnoText(errno));
  }
}

/// Names that cannot become an asset, and files in the way.
static Status checkTarget(const fs::path &path) {
  if (path.extension() != ".aimodel")
    return makeError(ErrorKind::InvalidArgument,
                     "an asset's path must use the .aimodel extension, got '" +
                         path.extension().string() + "' in " + path.string());
  std::error_code failure;
  bool exists = fs::exists(path, failure);
  if (failure == std::errc::filename_too_long)
    return makeError(ErrorKind::InvalidArgument,
                     "the name " + path.filename().string().substr(0, 40) +
                         "... is longer than file systems take (255 bytes)");
  if (exists && !fs::is_directory(path, failure))
    return makeError(ErrorKind::InvalidArgument,
                     path.string() + ": is a file, not an asset; remove it or "
                                     "choose another name");
  // Only an asset may go, with what somebody put into it.
  bool isAsset = fs::exists(path / "main.mlirb", failure) ||
                 fs::exists(path / "metadata.json", failure);
  if (exists && !isAsset && !fs::is_empty(path, failure))
    return makeError(ErrorKind::InvalidArgument,
                     path.string() +
                         ": is a folder with other files in it, not "
                         "an asset; remove it or choose another "
                         "name");
  return {};
}

static Status writeMembers(const fs::path &folder, std::string_view bytecode,
                           std::string_view metadata) {
  std::array<uint8_t, 32> digest = asset::sha256(bytecode);
  std::pair<const char *, std::string_view> members[] = {
      {"main.mlirb", bytecode},
      {"main.hash",
       {reinterpret_cast<const char *>(digest.data()), digest.size()}},
      {"metadata.json", metadata}};
  for (auto [name, bytes] : members)
    if (Status status =
            asset::writeFile(folder / name, bytes, asset::Flush::ToDevice);
        !status)
      return status;
  return asset::syncDirectory(folder);
}

Status asset::save(const fs::path &path, std::string_view bytecode,
                   const AssetMetadata &metadata) {
  // "x.aimodel/" names the same asset.
  fs::path target = path.has_filename() ? path : path.parent_path();
  if (Status status = checkTarget(target); !status)
    return status;
  // A link stays one: what it points to is replaced.
  std::error_code failure;
  if (fs::is_symlink(target, failure))
    if (fs::path pointee = fs::canonical(target, failure); !failure)
      target = pointee;
  Result<std::string> metadataText = writeMetadata(metadata);
  if (!metadataText)
    return metadataText.error();
  Result<fs::path> folder = makeStaging(target);
  if (!folder)
    return folder.error();
  StagingDirectory staging{*folder};
  if (Status status = writeMembers(staging.path, bytecode, *metadataText);
      !status)
    return status;
  if (Status status = renameOver(staging.path, target); !status)
    return status;
  return syncDirectory(target.has_parent_path() ? target.parent_path()
                                                : fs::path("."));
}
