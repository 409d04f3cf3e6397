//===- Compile.cpp - Metal source to kernel IR ----------------------------===//
#include "msl/Compile.h"

#include "msl/Frontend.h"
#include "msl/KernelIR.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace bessemer;
using namespace bessemer::msl;

/// Deep templates and expressions recurse deeply in Clang.
static constexpr unsigned stackSize = 64u << 20;

static Error compileError(const std::vector<Diagnostic> &diagnostics) {
  std::string text;
  for (const Diagnostic &diagnostic : diagnostics)
    text += (text.empty() ? "" : "\n") + toString(diagnostic);
  if (text.empty())
    text = "the source does not compile";
  return makeError(ErrorKind::Compile, std::move(text));
}

/// Clang's module to kernel IR.
static Status lower(llvm::Module &module, ReflectedSource &reflected,
                    Reflection &reflection) {
  if (Status status = makeKernelEntries(module, reflected.kernels); !status)
    return status;
  normaliseFunctions(module);
  makeIntegersTotal(module);
  for (KernelRecord &kernel : reflected.kernels) {
    findKernelUses(module, kernel.info);
    reflection.kernels.push_back(std::move(kernel.info));
  }
  findArgumentAccess(module, reflection.kernels);
  reflection.functionConstants = std::move(reflected.functionConstants);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module, &stream))
    return makeError(ErrorKind::Internal,
                     "the front end made invalid kernel IR: " + problem);
  return {};
}

static Result<CompiledSource>
compileHere(std::string_view source, const CompileOptions &options,
            llvm::LLVMContext &context, std::vector<Diagnostic> &diagnostics) {
  ParsedSource parsed = parse(source, options, context, diagnostics);
  if (!parsed.module)
    return compileError(diagnostics);
  CompiledSource compiled;
  if (Status status =
          lower(*parsed.module, parsed.reflected, compiled.reflection);
      !status)
    return status.error();
  compiled.module = std::move(parsed.module);
  compiled.diagnostics = diagnostics;
  return compiled;
}

Result<CompiledSource> msl::compile(std::string_view source,
                                    const CompileOptions &options,
                                    llvm::LLVMContext &context,
                                    std::vector<Diagnostic> &diagnostics) {
  // A caller with a recovery context already runs on a compiler thread.
  if (llvm::CrashRecoveryContext::GetCurrent())
    return compileHere(source, options, context, diagnostics);
  Result<CompiledSource> result =
      makeError(ErrorKind::Internal,
                "the compiler crashed while it read " + options.fileName);
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  recovery.RunSafelyOnThread(
      [&] { result = compileHere(source, options, context, diagnostics); },
      stackSize);
  return result;
}
