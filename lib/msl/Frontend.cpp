//===- Frontend.cpp - Clang over one Metal source -------------------------===//
#include "msl/Frontend.h"

#include "msl/CodeRecorder.h"
#include "msl/Diagnostics.h"
#include "msl/Keywords.h"
#include "msl/LibraryUse.h"
#include "msl/Literals.h"
#include "msl/MetalPragmas.h"
#include "msl/PrePass.h"
#include "msl/PrecompiledHeader.h"
#include "msl/SourceEdits.h"
#include "msl/SourceFiles.h"
#include "msl/SourceLimits.h"
#include "msl/Target.h"
#include "msl/TextLiterals.h"
#include "msl/UndefinedConstants.h"

#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <optional>

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

namespace {

class CompileAction : public ASTFrontendAction {
public:
  CompileAction(AttributeTable &attributes, size_t mostKernels)
      : attributes(attributes), mostKernels(mostKernels) {}

  bool BeginInvocation(CompilerInstance &compiler) override {
    compiler.setTarget(createKernelTarget(compiler.getTarget()).get());
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    setKeywords(compiler.getPreprocessor().getIdentifierTable());
    addMetalPragmas(compiler.getPreprocessor());
    watchTokens(compiler);
    auto recorder = std::make_unique<CodeRecorder>(compiler, reflected);
    code = recorder.get();
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    consumers.push_back(
        createReflector(compiler, attributes, mostKernels, reflected));
    consumers.push_back(std::move(recorder));
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
  }

  void ExecuteAction() override {
    CompilerInstance &compiler = getCompilerInstance();
    if (!compiler.hasSema())
      compiler.createSema(getTranslationUnitKind(), nullptr);
    limits->watchTemplates(compiler.getSema());
    ASTFrontendAction::ExecuteAction();
    library.report(compiler.getDiagnostics());
  }

  /// What is read from now on is for one kernel more.
  void restartLimits() { limits->restart(); }

  ReflectedSource reflected;
  CodeRecorder *code = nullptr; ///< Lives as long as the syntax tree.

private:
  void watchTokens(CompilerInstance &compiler) {
    limits = std::make_unique<SourceLimits>(compiler);
    limits->watchPreprocessor();
    Preprocessor &preprocessor = compiler.getPreprocessor();
    library.watch(preprocessor);
    texts.emplace(preprocessor);
    preprocessor.setTokenWatcher([this, &preprocessor](const Token &token) {
      // There is no other place that sees each token before the parser does.
      auto &rewritten = const_cast<Token &>(token);
      dropFloatSuffix(rewritten, preprocessor.getPreprocessorAllocator());
      texts->see(rewritten);
      limits->see(rewritten);
      library.see(rewritten);
    });
  }

  std::unique_ptr<SourceLimits> limits;
  std::optional<TextLiterals> texts;
  LibraryUse library;
  AttributeTable &attributes;
  size_t mostKernels;
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

/// One reading of the source, with the edits known so far. Messages go to
/// `diagnostics`; what needs other edits is noted in `edits`.
struct msl::Reading {
  Reading(llvm::StringRef source, const CompileOptions &options,
          size_t mostKernels, SourceEdits &edits);
  ~Reading() {
    if (isOpen)
      action.EndSourceFile();
  }

  KernelRecord *wantOnly(llvm::StringRef kernel);
  void openScope();
  bool hasErrors() { return compiler->getDiagnostics().hasErrorOccurred(); }
  /// With the edits that this one found.
  bool needsAnother() {
    return compiler->hasASTContext() &&
           collector.findEdits(compiler->getASTContext());
  }
  void setInput();

  // In the order in which they need each other.
  std::vector<bessemer::Diagnostic> diagnostics;
  AttributeTable attributes;
  std::string text;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::shared_ptr<const std::string> library; ///< The precompiled header.
  std::unique_ptr<CompilerInstance> compiler;
  DiagnosticCollector collector;
  CompileAction action;
  std::unique_ptr<Scope> programScope; ///< Once the parser's is gone.
  bool isOpen = false;                 ///< The action has begun.
};

Reading::Reading(llvm::StringRef source, const CompileOptions &options,
                 size_t mostKernels, SourceEdits &edits)
    : attributes(options.functionConstants),
      text(mainText(source, options, edits)),
      buffer(llvm::MemoryBuffer::getMemBuffer(text, options.fileName)),
      library(precompiledHeader(options)),
      compiler(std::make_unique<CompilerInstance>(createInvocation(options))),
      collector(diagnostics, source, edits, *compiler),
      action(attributes, mostKernels) {
  setInput();
  compiler->setVirtualFileSystem(createSourceFiles(
      edits, library ? llvm::StringRef(*library) : llvm::StringRef()));
  compiler->createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  AttributeScope scope(attributes);
  if (!compiler->createTarget())
    return;
  isOpen = action.BeginSourceFile(*compiler,
                                  compiler->getFrontendOpts().Inputs.front());
  if (isOpen)
    llvm::consumeError(action.Execute());
}

void Reading::setInput() {
  compiler->getFrontendOpts().Inputs = {
      FrontendInputFile(buffer->getMemBufferRef(), InputKind(Language::CXX))};
  PreprocessorOptions &preprocessor = compiler->getPreprocessorOpts();
  if (library)
    preprocessor.ImplicitPCHInclude = precompiledFile.str();
  else
    preprocessor.Includes = {preludeHeader.str()};
}

/// Instantiations declare Clang's own functions, like the memcpy of an implicit
/// assignment, in the scope of the program.
void Reading::openScope() {
  if (programScope)
    return;
  programScope = std::make_unique<Scope>(nullptr, Scope::DeclScope,
                                         compiler->getDiagnostics());
  programScope->setEntity(compiler->getASTContext().getTranslationUnitDecl());
  compiler->getSema().TUScope = programScope.get();
}

KernelRecord *Reading::wantOnly(llvm::StringRef name) {
  openScope();
  AttributeScope scope(attributes);
  // The errors of one kernel's body are not those of another's.
  compiler->getDiagnostics().Reset(/*soft=*/true);
  diagnostics.clear();
  action.restartLimits();
  for (KernelRecord &kernel : action.reflected.kernels)
    if (kernel.info.name == name) {
      msl::wantOnly(kernel, *compiler, attributes, action.reflected);
      return &kernel;
    }
  return nullptr;
}

/// Each reading finds the innermost expressions that need an edit; the bound is
/// on how deeply they nest.
static constexpr unsigned mostReadings = 12;

ParsedSource::ParsedSource(std::string_view source,
                           const CompileOptions &options, size_t mostKernels)
    : source(source), options(options), mostKernels(mostKernels),
      edits(std::make_unique<SourceEdits>()) {
  read();
}

ParsedSource::~ParsedSource() = default;

void ParsedSource::read() {
  for (unsigned i = 0; i < mostReadings; ++i) {
    edits->startReading();
    reading.reset();
    reading = std::make_unique<Reading>(source, options, mostKernels, *edits);
    if (!reading->needsAnother())
      break;
  }
}

const KernelRecord *ParsedSource::wantOnly(std::string_view kernel) {
  if (hasErrors()) // A kernel with errors leaves half a syntax tree behind.
    read();
  for (unsigned i = 0; i < mostReadings; ++i) {
    KernelRecord *record =
        reading->wantOnly(llvm::StringRef(kernel.data(), kernel.size()));
    if (!reading->needsAnother())
      return hasErrors() ? nullptr : record;
    read();
  }
  return nullptr;
}

bool ParsedSource::hasErrors() const { return reading->hasErrors(); }

const std::vector<bessemer::Diagnostic> &ParsedSource::diagnostics() const {
  return reading->diagnostics;
}

std::string
ParsedSource::lineOf(const bessemer::SourceLocation &location) const {
  if (location.file != options.fileName || location.line < options.firstLine)
    return {};
  llvm::StringRef rest = source;
  for (unsigned line = options.firstLine; line < location.line; ++line)
    rest = rest.split('\n').second;
  return rest.split('\n').first.rtrim('\r').str();
}

const ReflectedSource &ParsedSource::reflected() const {
  return reading->action.reflected;
}

void ParsedSource::findMissingConstants(std::vector<KernelRecord> &kernels) {
  AttributeScope scope(reading->attributes);
  msl::findMissingConstants(reading->compiler->getASTContext(), reflected(),
                            kernels);
}

std::unique_ptr<llvm::Module>
ParsedSource::generate(llvm::LLVMContext &context) {
  AttributeScope scope(reading->attributes);
  return reading->action.code->generate(context);
}
