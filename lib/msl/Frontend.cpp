//===- Frontend.cpp - Clang over one Metal source -------------------------===//
#include "msl/Frontend.h"

#include "msl/Diagnostics.h"
#include "msl/Keywords.h"
#include "msl/Literals.h"
#include "msl/PrePass.h"
#include "msl/PrecompiledHeader.h"
#include "msl/SourceFiles.h"
#include "msl/Target.h"

#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

namespace {

class CompileAction : public ASTFrontendAction {
public:
  CompileAction(llvm::LLVMContext &context, AttributeTable &attributes,
                ReflectedSource &reflected)
      : context(context), attributes(attributes), reflected(reflected) {}

  bool BeginInvocation(CompilerInstance &compiler) override {
    compiler.setTarget(createKernelTarget(compiler.getTarget()).get());
    return true;
  }

  std::unique_ptr<ASTConsumer>
  CreateASTConsumer(CompilerInstance &compiler, llvm::StringRef file) override {
    setKeywords(compiler.getPreprocessor().getIdentifierTable());
    makeLiteralsFloat(compiler.getPreprocessor());
    auto generator = CreateLLVMCodeGen(compiler, file, context);
    codeGenerator = generator.get();
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    consumers.push_back(createReflector(compiler, attributes, reflected));
    consumers.push_back(std::move(generator));
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
  }

  void EndSourceFileAction() override {
    if (!getCompilerInstance().getDiagnostics().hasErrorOccurred())
      module = codeGenerator->ReleaseModule();
  }

  std::unique_ptr<llvm::Module> takeModule() { return std::move(module); }

private:
  llvm::LLVMContext &context;
  AttributeTable &attributes;
  ReflectedSource &reflected;
  CodeGenerator *codeGenerator = nullptr;
  std::unique_ptr<llvm::Module> module;
};

} // namespace

/// The text Clang reads: the source after the pre-pass, with the user's lines.
static std::string mainText(llvm::StringRef source,
                            const CompileOptions &options) {
  std::string text;
  if (options.firstLine != 1)
    text = "#line " + std::to_string(options.firstLine) + "\n";
  return text + prePass(source);
}

ParsedSource msl::parse(std::string_view source, const CompileOptions &options,
                        llvm::LLVMContext &context,
                        std::vector<Diagnostic> &diagnostics) {
  std::shared_ptr<CompilerInvocation> invocation = createInvocation(options);
  std::string text =
      mainText(llvm::StringRef(source.data(), source.size()), options);
  auto buffer = llvm::MemoryBuffer::getMemBuffer(text, options.fileName);
  invocation->getFrontendOpts().Inputs = {
      FrontendInputFile(buffer->getMemBufferRef(), InputKind(Language::CXX))};
  std::shared_ptr<const std::string> library = precompiledHeader(options);
  if (library)
    invocation->getPreprocessorOpts().ImplicitPCHInclude =
        precompiledFile.str();
  else
    invocation->getPreprocessorOpts().Includes = {preludeHeader.str()};

  ParsedSource parsed;
  AttributeTable attributes(options.functionConstants);
  AttributeScope scope(attributes);
  DiagnosticCollector collector(diagnostics, source, options.firstLine);
  CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(createSourceFiles(
      library ? llvm::StringRef(*library) : llvm::StringRef()));
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  CompileAction action(context, attributes, parsed.reflected);
  if (compiler.ExecuteAction(action))
    parsed.module = action.takeModule();
  return parsed;
}
