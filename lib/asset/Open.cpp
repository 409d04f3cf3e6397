//===- Open.cpp - Reading and verifying an asset --------------------------===//
#include "asset/Asset.h"
#include "asset/File.h"
#include "asset/Metadata.h"

#include <cstring>

using namespace bessemer;
namespace fs = std::filesystem;

static Error corrupt(const fs::path &path, const std::string &what) {
  return makeError(ErrorKind::Corrupt, path.string() + ": " + what);
}

/// Is there a directory with the members of an asset?
static Status checkMembers(const fs::path &path) {
  std::error_code failure;
  fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status))
    return makeError(ErrorKind::NotFound,
                     path.string() + ": no such file or directory");
  if (!fs::is_directory(status))
    return corrupt(path, "is not an asset: an .aimodel is a directory with "
                         "metadata.json, main.mlirb and main.hash");
  for (const char *member : {"metadata.json", "main.mlirb"})
    if (!fs::exists(path / member, failure))
      return corrupt(path, std::string("is not a complete asset: ") + member +
                               " is missing");
  return {};
}

static Status checkVersion(const fs::path &path, const std::string &version) {
  if (version == asset::assetVersion)
    return {};
  bool apples = !version.empty() && version[0] >= '0' && version[0] <= '9';
  return corrupt(
      path,
      "asset version \"" + version + "\" is not supported: " +
          (apples ? "it was written by Apple's coreai, whose program format "
                    "Bessemer does not read; convert the model again with "
                    "Bessemer, or import its program as text"
                  : "this build reads \"" + std::string(asset::assetVersion) +
                        "\"; use a version of Bessemer that reads it, or "
                        "save the model again"));
}

/// main.hash against the bytes of main.mlirb.
static Status checkHash(const fs::path &path,
                        const std::array<uint8_t, 32> &digest) {
  fs::path hashPath = path / "main.hash";
  Result<asset::MappedFile> stored = asset::mapFile(hashPath);
  if (!stored)
    return stored.error().kind == ErrorKind::NotFound
               ? corrupt(path, "is not a complete asset: main.hash is missing")
               : stored.error();
  if (stored->bytes.size() != digest.size())
    return corrupt(hashPath, "holds " + std::to_string(stored->bytes.size()) +
                                 " bytes instead of 32: the file is damaged");
  if (std::memcmp(stored->bytes.data(), digest.data(), digest.size()) != 0)
    return corrupt(path / "main.mlirb",
                   "does not match main.hash: the file is damaged or "
                   "truncated; copy or save the asset again");
  return {};
}

Result<asset::Asset> asset::open(const fs::path &path) {
  if (Status status = checkMembers(path); !status)
    return status.error();
  Result<MappedFile> metadataText = mapFile(path / "metadata.json");
  if (!metadataText)
    return metadataText.error();
  Result<MetadataFile> metadata = readMetadata(metadataText->bytes);
  if (!metadata)
    return corrupt(path / "metadata.json", metadata.error().message);
  if (Status status = checkVersion(path, metadata->version); !status)
    return status.error();
  Result<MappedFile> bytecode = mapFile(path / "main.mlirb");
  if (!bytecode)
    return bytecode.error();
  std::array<uint8_t, 32> digest = sha256(bytecode->bytes);
  if (Status status = checkHash(path, digest); !status)
    return status.error();
  return Asset{path,
               std::move(metadata->metadata),
               std::move(metadata->producer),
               digest,
               bytecode->bytes,
               std::move(bytecode->mapping)};
}
