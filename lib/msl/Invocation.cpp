//===- Invocation.cpp - Clang's settings for Metal ------------------------===//
#include "msl/Frontend.h"

#include "msl/PrePass.h"
#include "msl/SourceFiles.h"
#include "msl/Target.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/ErrorHandling.h"

using namespace bessemer;
using namespace clang;

/// What does not depend on the options.
static constexpr const char *fixedArguments[] = {
    "-triple", msl::kernelTriple, "-std=c++17", "-x", "c++", "-nostdsysteminc",
    "-nobuiltininc", "-ffreestanding", "-fno-builtin",
    // Optimised style of IR (no optnone, no extra stack traffic); no pass runs.
    "-O1", "-disable-llvm-passes", "-disable-lifetime-markers",
    // Whether loops are unrolled is up to the code generators.
    "-funroll-loops", "-relaxed-aliasing", "-fwrapv",
    "-fno-strict-float-cast-overflow", "-debug-info-kind=line-tables-only",
    "-dwarf-version=5", "-ffloat16-excess-precision=none",
    "-fbfloat16-excess-precision=none", "-fdeclspec", "-fno-threadsafe-statics",
    "-fno-rtti",
    // Bounds: a source may not run the compiler out of time or memory.
    "-ftemplate-depth=512", "-fconstexpr-depth=256",
    "-fconstexpr-steps=1000000", "-ferror-limit", "20", "-fbracket-depth",
    "512", "-Werror=stack-exhausted", "-fno-caret-diagnostics",
    // Metal's own rules are errors; what C++ would only suggest is silent.
    "-Wuninitialized", "-Werror=unknown-attributes", "-Werror=return-type",
    "-Wno-unused-value", "-Wno-duplicate-decl-specifier",
    "-Wno-c++20-extensions", "-Wno-c++23-extensions", "-Wno-c++2b-extensions",
    "-Wno-missing-braces", "-Wno-undefined-inline", "-Wno-undefined-internal",
    "-Wno-reserved-user-defined-literal", "-Wno-user-defined-literals",
    "-Wno-vla-cxx-extension", "-Wno-unknown-pragmas",
    "-Wno-dollar-in-identifier-extension", "-Wno-nan-infinity-disabled"};

static void addMathMode(MathMode mode, std::vector<std::string> &arguments) {
  auto add = [&](std::initializer_list<const char *> more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  if (mode == MathMode::Safe) {
    add({"-ffp-contract=on", "-D__METAL_FAST_MATH__=0",
         "-D__METAL_PRECISE_MATH__=1"});
    return;
  }
  add({"-ffp-contract=fast", "-mreassociate", "-freciprocal-math",
       "-fno-signed-zeros", "-D__METAL_FAST_MATH__=1",
       "-D__METAL_PRECISE_MATH__=0", "-D__BSM_FAST_FUNCTIONS__=1"});
  if (mode == MathMode::Fast)
    add({"-menable-no-nans", "-menable-no-infs", "-D__FAST_MATH__=1"});
}

static std::string versionMacro(llvm::StringRef language) {
  auto [major, minor] = language.split('.');
  return "-D__METAL_VERSION__=" + major.str() +
         (minor.empty() ? "0" : minor.substr(0, 1).str()) + "0";
}

static void setLanguage(LangOptions &language) {
  // C++ for OpenCL gives address-space-qualified methods, constructors and
  // lambdas; without OpenCL itself it keeps function pointers and templates of
  // kernels. C++23 makes `A[k, m]` a subscript with two operands.
  language.OpenCLCPlusPlus = 1;
  language.CPlusPlus23 = 1;
  language.NativeHalfType = 1;
  language.NativeHalfArgsAndReturns = 1;
  language.Exceptions = language.CXXExceptions = 0;
  language.MathErrno = 0;
}

std::shared_ptr<CompilerInvocation>
msl::createInvocation(const CompileOptions &options) {
  std::vector<std::string> arguments(std::begin(fixedArguments),
                                     std::end(fixedArguments));
  addMathMode(options.math, arguments);
  arguments.push_back(versionMacro(options.language));
  arguments.insert(arguments.end(), {"-internal-isystem", headerRoot.str()});
  for (const std::string &directory : options.includeDirs)
    arguments.insert(arguments.end(), {"-I", directory});
  for (const auto &[name, value] : options.defines)
    arguments.insert(arguments.end(), {"-D", name + "=" + prePass(value)});
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());

  auto invocation = std::make_shared<CompilerInvocation>();
  DiagnosticOptions diagnosticOptions;
  DiagnosticsEngine ignored(llvm::makeIntrusiveRefCnt<DiagnosticIDs>(),
                            diagnosticOptions, new IgnoringDiagConsumer);
  if (!CompilerInvocation::CreateFromArgs(*invocation, pointers, ignored))
    llvm::report_fatal_error("Clang does not know its settings");
  setLanguage(invocation->getLangOpts());
  return invocation;
}
