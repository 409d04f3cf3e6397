//===- Asset.h - The .aimodel container -------------------------*- C++ -*-===//
//
// A directory NAME.aimodel: metadata.json, main.mlirb, main.hash (32 raw bytes,
// SHA-256 of main.mlirb). Written whole or not at all; verified before use.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_ASSET_ASSET_H
#define BESSEMER_ASSET_ASSET_H

#include "bessemer/program.h"
#include "bessemer/result.h"

#include <array>
#include <filesystem>
#include <memory>

namespace bessemer::asset {

/// The version this build writes and reads.
inline constexpr std::string_view assetVersion = "bessemer-1";

/// A verified asset; `bytecode` is mapped from the file.
struct Asset {
  std::filesystem::path path;
  AssetMetadata metadata;
  std::string producer;
  std::array<uint8_t, 32> hash; ///< SHA-256 of the bytecode.
  std::string_view bytecode;
  std::shared_ptr<void> mapping;
};

/// Reads metadata, checks version and hash, maps the bytecode. Errors name the
/// file and what is wrong with it.
Result<Asset> open(const std::filesystem::path &path);

/// Writes atomically (a temporary directory beside it, then a rename).
/// The suffix must be .aimodel. Parents are created; an existing asset is
/// replaced. The same arguments give the same bytes, except for the creation
/// date if it comes from the clock.
Status save(const std::filesystem::path &path, std::string_view bytecode,
            const AssetMetadata &metadata);

/// SHA-256 of the bytes.
std::array<uint8_t, 32> sha256(std::string_view bytes);
std::string toHex(const std::array<uint8_t, 32> &digest);

} // namespace bessemer::asset

#endif // BESSEMER_ASSET_ASSET_H
