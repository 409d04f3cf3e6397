//===- SourceFiles.h - The files a compilation sees -------------*- C++ -*-===//
#ifndef BESSEMER_MSL_SOURCEFILES_H
#define BESSEMER_MSL_SOURCEFILES_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace bessemer::msl {

class SourceEdits;

/// Where the built-in headers live in the virtual file system.
inline constexpr llvm::StringLiteral headerRoot = "/bessemer/include";
/// The header that every compilation includes first.
inline constexpr llvm::StringLiteral preludeHeader =
    "/bessemer/include/metal_stdlib";

/// Where a compilation finds the parsed form of that header.
inline constexpr llvm::StringLiteral precompiledFile =
    "/bessemer/metal_stdlib.pch";

/// The built-in headers in memory, over the real files, which go through the
/// pre-pass and the edits as they are opened. The arguments must outlive the
/// result.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
createSourceFiles(const SourceEdits &edits, llvm::StringRef precompiled = {});

} // namespace bessemer::msl

#endif // BESSEMER_MSL_SOURCEFILES_H
