//===- PrecompiledHeader.cpp - The standard library, parsed once ----------===//
#include "msl/PrecompiledHeader.h"

#include "msl/CacheFile.h"
#include "msl/Frontend.h"
#include "msl/Keywords.h"
#include "msl/Literals.h"
#include "msl/SourceEdits.h"
#include "msl/SourceFiles.h"
#include "msl/Target.h"
#include "support/BuildId.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"

#include <map>
#include <mutex>

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

namespace {

/// Parses a header and keeps its serialised form in memory.
class PrecompileAction : public ASTFrontendAction {
public:
  bool BeginInvocation(CompilerInstance &compiler) override {
    compiler.setTarget(createKernelTarget(compiler.getTarget()).get());
    return true;
  }
  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    Preprocessor &preprocessor = compiler.getPreprocessor();
    setKeywords(preprocessor.getIdentifierTable());
    preprocessor.setTokenWatcher([&preprocessor](const Token &token) {
      dropFloatSuffix(const_cast<Token &>(token),
                      preprocessor.getPreprocessorAllocator());
    });
    return std::make_unique<PCHGenerator>(
        preprocessor, compiler.getModuleCache(), precompiledFile,
        /*isysroot=*/"", buffer, compiler.getCodeGenOpts(),
        llvm::ArrayRef<std::shared_ptr<ModuleFileExtension>>(),
        /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false);
  }

  std::shared_ptr<PCHBuffer> buffer = std::make_shared<PCHBuffer>();
};

} // namespace

/// The options that the standard library's text or meaning depends on.
static std::string cacheName(const CompileOptions &options) {
  return "metal-" + buildId() + "-" + options.language + "-" +
         std::to_string(static_cast<unsigned>(options.math));
}

static std::string build(const CompileOptions &options) {
  CompileOptions own;
  own.math = options.math;
  own.language = options.language;
  std::shared_ptr<CompilerInvocation> invocation = createInvocation(own);
  invocation->getFrontendOpts().Inputs = {FrontendInputFile(
      preludeHeader, InputKind(Language::CXX).getHeader(), /*IsSystem=*/true)};
  CompilerInstance compiler(invocation);
  SourceEdits none;
  compiler.setVirtualFileSystem(createSourceFiles(none));
  compiler.createDiagnostics(new IgnoringDiagConsumer,
                             /*ShouldOwnClient=*/true);
  PrecompileAction action;
  if (!compiler.ExecuteAction(action) || !action.buffer->IsComplete)
    return {};
  return std::string(action.buffer->Data.data(), action.buffer->Data.size());
}

std::shared_ptr<const std::string>
msl::precompiledHeader(const CompileOptions &options) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const std::string>> made;
  std::string name = cacheName(options);
  {
    std::lock_guard lock(mutex);
    if (auto found = made.find(name); found != made.end())
      return found->second;
  }
  // Not under the lock: a crash in here must not leave it held. Two threads may
  // both do the work; the results are the same.
  std::shared_ptr<const std::string> result;
  bool isKeyed = !buildId().empty();
  if (std::optional<std::string> cached =
          isKeyed ? readCacheFile(name) : std::nullopt) {
    result = std::make_shared<const std::string>(std::move(*cached));
  } else if (std::string text = build(options); !text.empty()) {
    if (isKeyed)
      writeCacheFile(name, text);
    result = std::make_shared<const std::string>(std::move(text));
  }
  std::lock_guard lock(mutex);
  return made.emplace(name, std::move(result)).first->second;
}
