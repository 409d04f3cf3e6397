//===- Compile.cpp - Metal source to kernel IR ----------------------------===//
#include "msl/Compile.h"

#include "msl/CompilerThread.h"
#include "msl/Diagnostics.h"
#include "msl/Frontend.h"
#include "msl/KernelIR.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace bessemer;
using namespace bessemer::msl;

static Error compileError(const std::vector<Diagnostic> &diagnostics) {
  std::string text;
  for (const Diagnostic &diagnostic : diagnostics)
    text += (text.empty() ? "" : "\n") + toString(diagnostic);
  if (text.empty())
    text = "the source does not compile";
  return makeError(ErrorKind::Compile, std::move(text));
}

static constexpr llvm::StringLiteral languages[] = {
    "1.0", "1.1", "1.2", "2.0", "2.1", "2.2", "2.3",
    "2.4", "3.0", "3.1", "3.2", "4.0", "4.1"};

static Status checkLanguage(const std::string &language) {
  if (llvm::is_contained(languages, language))
    return {};
  return makeError(
      ErrorKind::InvalidArgument,
      "no Metal language '" + language +
          "'; there are 1.0 to 1.2, 2.0 to 2.4, 3.0 to 3.2, 4.0 and"
          " 4.1");
}

/// Calls of functions without a body: there is nothing to link with.
static std::vector<Diagnostic> undefinedCalls(const llvm::Module &module,
                                              const ParsedSource &parsed) {
  std::vector<Diagnostic> diagnostics;
  for (const llvm::Function &function : module) {
    if (!function.isDeclaration() || function.use_empty() ||
        function.getName().starts_with("bsm.") || function.isIntrinsic())
      continue;
    Diagnostic diagnostic;
    diagnostic.message = "function '" +
                         metalName(llvm::demangle(function.getName())) +
                         "' is used, but the source does not define it";
    for (const llvm::User *user : function.users())
      if (auto *call = llvm::dyn_cast<llvm::Instruction>(user))
        if (const llvm::DILocation *line = call->getDebugLoc())
          diagnostic.location = {line->getFilename().str(), line->getLine(),
                                 line->getColumn()};
    diagnostic.sourceLine = parsed.lineOf(diagnostic.location);
    diagnostics.push_back(std::move(diagnostic));
  }
  return diagnostics;
}

static void markMissingConstants(llvm::Module &module,
                                 const std::vector<KernelRecord> &kernels) {
  for (const KernelRecord &kernel : kernels)
    if (llvm::Function *entry = module.getFunction(kernel.info.symbol);
        entry && !kernel.missingConstants.empty())
      entry->addFnAttr(undefinedAttribute,
                       llvm::join(kernel.missingConstants, ","));
}

Status msl::checkConstants(const llvm::Module &module,
                           const KernelInfo &kernel) {
  const llvm::Function *entry = module.getFunction(kernel.symbol);
  if (!entry || !entry->hasFnAttribute(undefinedAttribute))
    return {};
  llvm::StringRef list =
      entry->getFnAttribute(undefinedAttribute).getValueAsString();
  llvm::SmallVector<llvm::StringRef> names;
  list.split(names, ',');
  std::string first = names.front().str();
  return makeError(ErrorKind::InvalidArgument,
                   "kernel '" + kernel.name +
                       "' needs a value for the function constant" +
                       (names.size() > 1 ? "s '" : " '") +
                       llvm::join(names, "', '") + "': function_constants={'" +
                       first + "': ...} in Python, --constant " + first +
                       "=... on the command line");
}

/// Clang's module to kernel IR.
static Status lower(llvm::Module &module, const ReflectedSource &reflected,
                    std::vector<KernelRecord> &kernels) {
  if (Status status = makeKernelEntries(module, kernels); !status)
    return status;
  setAttributeVariables(module, reflected.attributeVariables);
  reportTraps(module);
  normaliseFunctions(module);
  makeIntegersTotal(module);
  for (KernelRecord &kernel : kernels)
    if (kernel.hasCode)
      findKernelUses(module, kernel.info);
  markMissingConstants(module, kernels);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module, &stream))
    return makeError(ErrorKind::Internal,
                     "the front end made invalid kernel IR: " + problem);
  return {};
}

/// The code and reflection of `kernels`, which the parsed source has been asked
/// for.
static Result<CompiledSource> generate(ParsedSource &parsed,
                                       std::vector<KernelRecord> kernels,
                                       llvm::LLVMContext &context,
                                       std::vector<Diagnostic> &diagnostics) {
  CompiledSource compiled;
  if (!parsed.hasErrors())
    parsed.findMissingConstants(kernels);
  compiled.module = parsed.generate(context);
  diagnostics = parsed.diagnostics();
  if (!compiled.module)
    return compileError(diagnostics);
  if (auto calls = undefinedCalls(*compiled.module, parsed); !calls.empty()) {
    diagnostics.insert(diagnostics.end(), calls.begin(), calls.end());
    return compileError(diagnostics);
  }
  if (Status status = lower(*compiled.module, parsed.reflected(), kernels);
      !status)
    return status.error();
  for (KernelRecord &kernel : kernels)
    compiled.reflection.kernels.push_back(std::move(kernel.info));
  findArgumentAccess(*compiled.module, compiled.reflection.kernels);
  compiled.reflection.functionConstants = parsed.reflected().functionConstants;
  compiled.diagnostics = diagnostics;
  return compiled;
}

static CompiledSource withoutCode(std::shared_ptr<ParsedSource> parsed) {
  CompiledSource compiled;
  for (const KernelRecord &kernel : parsed->reflected().kernels)
    compiled.reflection.kernels.push_back(kernel.info);
  compiled.reflection.functionConstants = parsed->reflected().functionConstants;
  compiled.diagnostics = parsed->diagnostics();
  compiled.parsed = std::move(parsed);
  return compiled;
}

Result<CompiledSource>
msl::compileKernel(ParsedSource &parsed, std::string_view kernel,
                   llvm::LLVMContext &context,
                   std::vector<Diagnostic> &diagnostics) {
  const KernelRecord *record = parsed.wantOnly(kernel);
  diagnostics = parsed.diagnostics();
  if (parsed.hasErrors())
    return compileError(diagnostics);
  if (!record)
    return makeError(ErrorKind::NotFound,
                     "no kernel named '" + std::string(kernel) + "'");
  return generate(parsed, {*record}, context, diagnostics);
}

static Result<CompiledSource> compileHere(std::string_view source,
                                          const CompileOptions &options,
                                          llvm::LLVMContext &context,
                                          std::vector<Diagnostic> &diagnostics,
                                          const CodeRequest &code) {
  if (Status status = checkLanguage(options.language); !status)
    return status.error();
  auto parsed = std::make_shared<ParsedSource>(
      source, options, code.only.empty() ? code.mostKernels : 0);
  diagnostics = parsed->diagnostics();
  if (parsed->hasErrors())
    return compileError(diagnostics);
  if (!code.only.empty())
    return compileKernel(*parsed, code.only, context, diagnostics);
  const std::vector<KernelRecord> &kernels = parsed->reflected().kernels;
  if (kernels.size() > code.mostKernels)
    return withoutCode(std::move(parsed));
  return generate(*parsed, kernels, context, diagnostics);
}

Result<CompiledSource> msl::compile(std::string_view source,
                                    const CompileOptions &options,
                                    llvm::LLVMContext &context,
                                    std::vector<Diagnostic> &diagnostics,
                                    const CodeRequest &code) {
  // A caller with a recovery context already runs on a compiler thread.
  if (llvm::CrashRecoveryContext::GetCurrent())
    return compileHere(source, options, context, diagnostics, code);
  Result<CompiledSource> result =
      makeError(ErrorKind::Internal,
                "the compiler crashed while it read " + options.fileName);
  runOnCompilerThread([&] {
    result = compileHere(source, options, context, diagnostics, code);
  });
  return result;
}
