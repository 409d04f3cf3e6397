//===- bsm-msl.cpp - Metal source to kernel IR, for tests -----------------===//
#include "msl/Compile.h"
#include "msl/PrePass.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace bessemer;
namespace cl = llvm::cl;

static cl::OptionCategory category("bsm-msl options");
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE.metal"),
                                      cl::Required, cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::desc("output file"),
                                       cl::init("-"), cl::cat(category));
static cl::opt<bool> printReflection("reflection", cl::cat(category),
                                     cl::desc("print the reflection as JSON"));
static cl::opt<bool> printDiagnostics("diagnostics", cl::cat(category),
                                      cl::desc("print diagnostics as JSON"));
static cl::opt<bool> printPrePass("pre-pass", cl::cat(category),
                                  cl::desc("print the text Clang reads"));
static cl::opt<std::string> fileName("file-name", cl::cat(category),
                                     cl::desc("name shown in diagnostics"));
static cl::opt<unsigned> firstLine("first-line", cl::init(1),
                                   cl::cat(category));
static cl::list<std::string> includeDirs("I", cl::Prefix, cl::cat(category));
static cl::list<std::string> defines("D", cl::Prefix, cl::cat(category));
static cl::list<std::string> constants("constant", cl::cat(category),
                                       cl::desc("INDEX=BITS"));
static cl::opt<std::string>
    only("only", cl::cat(category),
         cl::desc("make the code of this kernel alone"));
static cl::opt<size_t> mostKernels("most-kernels", cl::init(SIZE_MAX),
                                   cl::cat(category),
                                   cl::desc("no code for more kernels"));
static cl::opt<MathMode>
    math("math", cl::init(MathMode::Relaxed), cl::cat(category),
         cl::values(clEnumValN(MathMode::Safe, "safe", ""),
                    clEnumValN(MathMode::Relaxed, "relaxed", ""),
                    clEnumValN(MathMode::Fast, "fast", "")));

static CompileOptions optionsFromCommandLine() {
  CompileOptions options;
  options.fileName = fileName.empty() ? inputFile : fileName;
  options.firstLine = firstLine;
  options.math = math;
  options.includeDirs.assign(includeDirs.begin(), includeDirs.end());
  for (const std::string &define : defines) {
    auto [name, value] = llvm::StringRef(define).split('=');
    options.defines.emplace_back(name.str(), value.empty() ? "1" : value.str());
  }
  for (const std::string &constant : constants) {
    auto [index, bits] = llvm::StringRef(constant).split('=');
    unsigned number = 0;
    uint64_t value = 0;
    if (index.getAsInteger(10, number) || bits.getAsInteger(0, value)) {
      llvm::errs() << "bsm-msl: --constant wants INDEX=BITS\n";
      std::exit(2);
    }
    options.functionConstants[number] = value;
  }
  return options;
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv);
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(inputFile);
  if (!buffer) {
    llvm::errs() << "bsm-msl: cannot read " << inputFile << '\n';
    return 2;
  }
  std::error_code problem;
  llvm::raw_fd_ostream out(outputFile, problem);
  if (problem) {
    llvm::errs() << "bsm-msl: cannot write " << outputFile << '\n';
    return 2;
  }
  llvm::StringRef source = (*buffer)->getBuffer();
  if (printPrePass) {
    out << msl::prePass(source);
    return 0;
  }
  llvm::LLVMContext context;
  msl::CodeRequest code{mostKernels, only};
  std::vector<Diagnostic> diagnostics;
  Result<msl::CompiledSource> result =
      msl::compile(std::string_view(source.data(), source.size()),
                   optionsFromCommandLine(), context, diagnostics, code);
  if (printDiagnostics)
    out << toJson(diagnostics) << '\n';
  else
    for (const Diagnostic &diagnostic : diagnostics)
      llvm::errs() << toString(diagnostic) << '\n';
  if (!result) {
    if (diagnostics.empty())
      llvm::errs() << "bsm-msl: " << result.error().message << '\n';
    return 1;
  }
  if (printReflection)
    out << toJson(result->reflection) << '\n';
  else if (result->module && !printDiagnostics)
    result->module->print(out, nullptr);
  return 0;
}
