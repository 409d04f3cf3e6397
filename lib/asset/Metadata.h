//===- Metadata.h - metadata.json of an asset -------------------*- C++ -*-===//
#ifndef BESSEMER_ASSET_METADATA_H
#define BESSEMER_ASSET_METADATA_H

#include "bessemer/program.h"

namespace bessemer::asset {

struct MetadataFile {
  std::string version; ///< assetVersion.
  std::string producer;
  AssetMetadata metadata;
};

/// The text of metadata.json; fills in the date as AssetMetadata says.
Result<std::string> writeMetadata(const AssetMetadata &metadata);

/// Errors are phrases without the file's name ("is not valid JSON: ...").
Result<MetadataFile> readMetadata(std::string_view json);

} // namespace bessemer::asset

#endif // BESSEMER_ASSET_METADATA_H
