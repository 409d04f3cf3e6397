//===- SourceFiles.cpp - The files a compilation sees ---------------------===//
#include "msl/SourceFiles.h"

#include "msl/PrePass.h"
#include "msl/SourceEdits.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace bessemer;
using namespace bessemer::msl;

namespace {

struct EmbeddedHeader {
  llvm::StringRef name, text;
};

const EmbeddedHeader embeddedHeaders[] = {
#include "msl/EmbeddedHeaders.inc"
};

constexpr llvm::StringLiteral aliases[] = {
#define BSM_HEADER_ALIAS(name) name,
#include "msl/HeaderAliases.def"
};

/// A real file, rewritten by the pre-pass.
class PrePassedFile : public llvm::vfs::File {
public:
  PrePassedFile(llvm::vfs::Status status, std::string text)
      : theStatus(std::move(status)), text(std::move(text)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return theStatus; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(text, name);
  }
  std::error_code close() override { return {}; }

private:
  llvm::vfs::Status theStatus;
  std::string text;
};

class PrePassedFiles : public llvm::vfs::ProxyFileSystem {
public:
  PrePassedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                 const SourceEdits &edits)
      : ProxyFileSystem(std::move(files)), edits(edits) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    auto status = ProxyFileSystem::status(path);
    return status ? edited(path, *status) : status;
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file)
      return file.getError();
    auto status = (*file)->status();
    if (status && !status->isRegularFile())
      return std::make_error_code(std::errc::invalid_argument);
    auto buffer = (*file)->getBuffer(path);
    if (!status || !buffer)
      return status ? buffer.getError() : status.getError();
    return std::make_unique<PrePassedFile>(
        edited(path, *status),
        edits.apply(path.str(), prePass((*buffer)->getBuffer())));
  }

private:
  /// Clang compares the size with the text it gets.
  llvm::vfs::Status edited(const llvm::Twine &path,
                           const llvm::vfs::Status &status) const {
    size_t growth = edits.growth(path.str());
    return growth == 0 ? status
                       : llvm::vfs::Status::copyWithNewSize(
                             status, status.getSize() + growth);
  }

  const SourceEdits &edits;
};

} // namespace

static llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem>
createHeaders(llvm::StringRef precompiled) {
  auto headers = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto add = [&](const llvm::Twine &path, llvm::StringRef text) {
    headers->addFile(path, /*ModificationTime=*/0,
                     llvm::MemoryBuffer::getMemBuffer(
                         text, path.str(), /*RequiresNullTerminator=*/false));
  };
  for (const EmbeddedHeader &header : embeddedHeaders)
    add(llvm::Twine(headerRoot) + "/" + header.name, header.text);
  for (llvm::StringRef alias : aliases)
    add(llvm::Twine(headerRoot) + "/" + alias,
        "#pragma once\n#include <metal_stdlib>\n");
  if (!precompiled.empty())
    add(precompiledFile, precompiled);
  return headers;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
msl::createSourceFiles(const SourceEdits &edits, llvm::StringRef precompiled) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::makeIntrusiveRefCnt<PrePassedFiles>(llvm::vfs::getRealFileSystem(),
                                                edits));
  files->pushOverlay(createHeaders(precompiled));
  return files;
}
