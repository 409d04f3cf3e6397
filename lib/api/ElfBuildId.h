//===- ElfBuildId.h - The GNU build id of an ELF file -----------*- C++ -*-===//
#ifndef BESSEMER_API_ELFBUILDID_H
#define BESSEMER_API_ELFBUILDID_H

#include <string>
#include <string_view>

namespace bessemer::api {

/// Lowercase hex; empty if the bytes are no ELF file of this machine's kind or
/// have no build id. Accepts any bytes.
std::string elfBuildId(std::string_view file);

} // namespace bessemer::api

#endif // BESSEMER_API_ELFBUILDID_H
