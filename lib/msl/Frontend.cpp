//===- Frontend.cpp - Clang over one Metal source -------------------------===//
#include "msl/Frontend.h"

#include "msl/CodeRecorder.h"
#include "msl/Diagnostics.h"
#include "msl/Keywords.h"
#include "msl/Literals.h"
#include "msl/MetalPragmas.h"
#include "msl/PrePass.h"
#include "msl/PrecompiledHeader.h"
#include "msl/SourceEdits.h"
#include "msl/SourceFiles.h"
#include "msl/SourceLimits.h"
#include "msl/Target.h"

#include "clang/Basic/TargetInfo.h"
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
  CompileAction(llvm::LLVMContext &context, const CodeRequest &code,
                AttributeTable &attributes, ParsedSource &parsed)
      : context(context), code(code), attributes(attributes), parsed(parsed) {}

  bool BeginInvocation(CompilerInstance &compiler) override {
    compiler.setTarget(createKernelTarget(compiler.getTarget()).get());
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    setKeywords(compiler.getPreprocessor().getIdentifierTable());
    addMetalPragmas(compiler.getPreprocessor());
    watchTokens(compiler);
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    consumers.push_back(
        createReflector(compiler, attributes, code, parsed.reflected));
    consumers.push_back(std::make_unique<CodeRecorder>(
        compiler, context, code, parsed.reflected, parsed.module));
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
  }

  void ExecuteAction() override {
    CompilerInstance &compiler = getCompilerInstance();
    if (!compiler.hasSema())
      compiler.createSema(getTranslationUnitKind(), nullptr);
    limits->watchTemplates(compiler.getSema());
    ASTFrontendAction::ExecuteAction();
  }

  void EndSourceFileAction() override {
    parsed.hasErrors =
        getCompilerInstance().getDiagnostics().hasErrorOccurred();
  }

private:
  void watchTokens(CompilerInstance &compiler) {
    limits = std::make_unique<SourceLimits>(compiler);
    limits->watchPreprocessor();
    Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.setTokenWatcher([this, &preprocessor](const Token &token) {
      // There is no other place that sees each token before the parser does.
      auto &rewritten = const_cast<Token &>(token);
      dropFloatSuffix(rewritten, preprocessor.getPreprocessorAllocator());
      limits->see(rewritten);
    });
  }

  std::unique_ptr<SourceLimits> limits;
  llvm::LLVMContext &context;
  const CodeRequest &code;
  AttributeTable &attributes;
  ParsedSource &parsed;
};

} // namespace

/// The text Clang reads: the source after the pre-pass, with the user's lines.
static std::string mainText(llvm::StringRef source,
                            const CompileOptions &options,
                            const SourceEdits &edits) {
  std::string text;
  if (options.firstLine != 1)
    text = "#line " + std::to_string(options.firstLine) + "\n";
  return edits.apply("", text + prePass(source));
}

static ParsedSource parseOnce(llvm::StringRef source,
                              const CompileOptions &options,
                              llvm::LLVMContext &context,
                              const CodeRequest &code, SourceEdits &edits,
                              std::vector<bessemer::Diagnostic> &diagnostics) {
  std::shared_ptr<CompilerInvocation> invocation = createInvocation(options);
  std::string text = mainText(source, options, edits);
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
  DiagnosticCollector collector(diagnostics, source, edits);
  CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(createSourceFiles(
      edits, library ? llvm::StringRef(*library) : llvm::StringRef()));
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  CompileAction action(context, code, attributes, parsed);
  compiler.ExecuteAction(action);
  parsed.needsEdits = collector.foundEdits();
  return parsed;
}

ParsedSource msl::parse(std::string_view source, const CompileOptions &options,
                        llvm::LLVMContext &context, const CodeRequest &code,
                        std::vector<bessemer::Diagnostic> &diagnostics) {
  // Each reading finds the innermost expressions that need an edit; the bound
  // is on how deeply they nest.
  static constexpr unsigned mostReadings = 12;
  SourceEdits edits;
  size_t before = diagnostics.size();
  ParsedSource parsed;
  for (unsigned i = 0; i < mostReadings; ++i) {
    diagnostics.resize(before);
    edits.startReading();
    parsed = parseOnce(llvm::StringRef(source.data(), source.size()), options,
                       context, code, edits, diagnostics);
    if (!parsed.needsEdits)
      break;
  }
  return parsed;
}
