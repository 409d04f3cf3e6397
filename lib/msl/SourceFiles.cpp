//===- SourceFiles.cpp - The files a compilation sees ---------------------===//
#include "msl/SourceFiles.h"

#include "msl/PrePass.h"

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
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file)
      return file.getError();
    auto status = (*file)->status();
    auto buffer = (*file)->getBuffer(path);
    if (!status || !buffer)
      return status ? buffer.getError() : status.getError();
    // Precompiled headers are binary and read through this system as well.
    if ((*buffer)->getBuffer().starts_with("CPCH"))
      return file;
    return std::make_unique<PrePassedFile>(*status,
                                           prePass((*buffer)->getBuffer()));
  }
};

} // namespace

static llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> createHeaders() {
  auto headers = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto add = [&](llvm::StringRef name, llvm::StringRef text) {
    headers->addFile(llvm::Twine(headerRoot) + "/" + name, /*time=*/0,
                     llvm::MemoryBuffer::getMemBuffer(text, name));
  };
  for (const EmbeddedHeader &header : embeddedHeaders)
    add(header.name, header.text);
  for (llvm::StringRef alias : aliases)
    add(alias, "#pragma once\n#include <metal_stdlib>\n");
  return headers;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> msl::createSourceFiles() {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::makeIntrusiveRefCnt<PrePassedFiles>(
          llvm::vfs::getRealFileSystem()));
  files->pushOverlay(createHeaders());
  return files;
}
