//===- CheckKernels.cpp - Do the kernels of a program compile? ------------===//
#include "convert/Convert.h"

#include "ir/ElementTypes.h"
#include "ir/dialect/CoreAI.h"
#include "msl/Compile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <set>

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

static std::string describe(RankedTensorType type) {
  return std::string(dtypeName(dtypeOf(type.getElementType()))) + " of rank " +
         llvm::itostr(type.getRank());
}

/// Bool parameters are passed as bytes.
static bool isSameElement(DType parameter, DType passed) {
  return parameter == passed ||
         (parameter == DType::Bool && passed == DType::U8);
}

/// What does not fit between a parameter and what the program passes; empty if
/// all does.
static std::string mismatch(const Argument &parameter, RankedTensorType type,
                            bool isResult) {
  DType dtype = dtypeOf(type.getElementType());
  std::string what = (isResult ? "result '" : "argument '") + parameter.name +
                     "': the program passes " + describe(type);
  if (parameter.kind == ArgumentKind::Tensor) {
    if (parameter.rank != static_cast<unsigned>(type.getRank()) ||
        !isSameElement(parameter.element, dtype))
      return what + ", but the kernel takes " +
             std::string(dtypeName(parameter.element)) + " of rank " +
             llvm::utostr(parameter.rank);
    return "";
  }
  if (!isSameElement(parameter.element, dtype) &&
      parameter.element != DType::Invalid)
    return what + ", but the kernel takes " +
           std::string(dtypeName(parameter.element));
  if (isResult && parameter.space == AddressSpace::Constant)
    return what + " to a parameter in constant memory";
  return "";
}

/// Compares what the kernel takes with the operands and results.
static std::string mismatches(const KernelInfo &kernel, Metal4KernelOp op) {
  SmallVector<RankedTensorType> passed;
  for (Type type : op.getKernelArgs().getTypes())
    passed.push_back(cast<RankedTensorType>(type));
  size_t inputs = passed.size();
  for (Type type : op.getOuts().getTypes())
    passed.push_back(cast<RankedTensorType>(type));
  if (kernel.arguments.size() != passed.size())
    return "the program passes " + llvm::utostr(passed.size()) +
           " inputs and results, but the kernel takes " +
           llvm::utostr(kernel.arguments.size());
  for (size_t i = 0; i < passed.size(); ++i) {
    std::string text =
        mismatch(kernel.arguments[i], passed[i], /*isResult=*/i >= inputs);
    if (!text.empty())
      return text;
  }
  return "";
}

static CompileFailure failure(Metal4KernelOp op, const std::string &message,
                              std::vector<bessemer::Diagnostic> diagnostics) {
  return {makeError(ErrorKind::Compile,
                    "kernel '" + op.getKernelName().str() + "': " + message),
          std::move(diagnostics)};
}

static std::optional<CompileFailure> check(Metal4KernelOp op) {
  llvm::LLVMContext context;
  CompileOptions options;
  options.fileName = op.getKernelName().str() + ".metal";
  std::vector<bessemer::Diagnostic> diagnostics;
  auto compiled =
      msl::compile(op.getKernelSource().str(), options, context, diagnostics);
  if (!compiled)
    return failure(op, "does not compile:\n" + compiled.error().message,
                   std::move(diagnostics));
  std::string name = op.getKernelName().str();
  const KernelInfo *kernel = compiled->reflection.find(name);
  std::string problem = kernel ? mismatches(*kernel, op)
                               : "the source defines no kernel of that name";
  if (problem.empty() && !msl::checkConstants(*compiled->module, *kernel))
    problem = "function constants have no values in a model; write the value "
              "in the source, or make it a scalar input";
  if (problem.empty())
    return std::nullopt;
  return failure(op, problem, std::move(diagnostics));
}

std::vector<CompileFailure> bessemer::checkKernels(IRProgram &program) {
  std::vector<CompileFailure> failures;
  std::set<std::string> seen;
  program.module().walk([&](Metal4KernelOp op) {
    // One source with one list of types is checked once.
    std::string key = op.getKernelSource().str();
    llvm::raw_string_ostream stream(key);
    stream << op.getKernelName();
    for (Type type : op.getKernelArgs().getTypes())
      stream << dtypeName(
                    dtypeOf(cast<RankedTensorType>(type).getElementType()))
             << cast<RankedTensorType>(type).getRank();
    for (Type type : op.getOuts().getTypes())
      stream << dtypeName(
                    dtypeOf(cast<RankedTensorType>(type).getElementType()))
             << cast<RankedTensorType>(type).getRank();
    if (!seen.insert(stream.str()).second)
      return;
    if (std::optional<CompileFailure> problem = check(op))
      failures.push_back(std::move(*problem));
  });
  return failures;
}
