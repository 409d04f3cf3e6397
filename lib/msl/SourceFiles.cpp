//===- SourceFiles.cpp - The files a compilation sees ---------------------===//
#include "msl/SourceFiles.h"

#include "msl/PrePass.h"
#include "msl/SourceEdits.h"
#include "msl/SourceLimits.h"

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

/// Why a file that is there is not read.
class FileRefusal : public std::error_category {
public:
  enum Reason { NotRegular = 1, TooLarge };
  const char *name() const noexcept override { return "bessemer file"; }
  std::string message(int reason) const override {
    return reason == NotRegular ? "it is not a regular file"
                                : "it has more than 64 MiB";
  }
  static std::error_code error(Reason reason) {
    static const FileRefusal category;
    return {reason, category};
  }
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
    // Before it is opened: opening a pipe waits for its other end.
    auto status = ProxyFileSystem::status(path);
    if (!status)
      return status.getError();
    if (!status->isRegularFile())
      return FileRefusal::error(FileRefusal::NotRegular);
    if (status->getSize() > mostSourceBytes)
      return FileRefusal::error(FileRefusal::TooLarge);
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file)
      return file.getError();
    auto buffer = (*file)->getBuffer(path);
    if (!buffer)
      return buffer.getError();
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
