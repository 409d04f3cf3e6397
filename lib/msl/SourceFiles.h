//===- SourceFiles.h - The files a compilation sees -------------*- C++ -*-===//
#ifndef BESSEMER_MSL_SOURCEFILES_H
#define BESSEMER_MSL_SOURCEFILES_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace bessemer::msl {

/// Where the built-in headers live in the virtual file system.
inline constexpr llvm::StringLiteral headerRoot = "/bessemer/include";
/// The header that every compilation includes first.
inline constexpr llvm::StringLiteral preludeHeader =
    "/bessemer/include/metal_stdlib";

/// The built-in headers in memory, over the real files, which go through the
/// pre-pass as they are opened.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> createSourceFiles();

} // namespace bessemer::msl

#endif // BESSEMER_MSL_SOURCEFILES_H
