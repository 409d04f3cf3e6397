//===- Guard.cpp - Compiler crashes as errors -----------------------------===//
#include "compiler/Guard.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace bessemer;

static constexpr unsigned stackSize = 64u << 20;

/// What LLVM said before it gave up, on this compiler thread.
static thread_local std::string fatalMessage;

/// report_fatal_error would exit the process; unwind to the guard instead.
static void onFatalError(void *, const char *reason, bool) {
  fatalMessage = reason;
  if (auto *context = llvm::CrashRecoveryContext::GetCurrent())
    context->HandleExit(70);
}

static void installOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(onFatalError);
  });
}

/// Saves the source for a report; returns a sentence that says where.
static std::string saveForReport(std::string_view source) {
  if (source.empty())
    return {};
  int descriptor;
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("bessemer-crash", "metal", descriptor,
                                         path))
    return {};
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream << llvm::StringRef(source.data(), source.size());
  return "; the source is saved in " + path.str().str() + " for a report";
}

Status bessemer::compiler::guarded(std::string_view doing,
                                   std::string_view source,
                                   llvm::function_ref<Status()> work) {
  installOnce();
  Status status;
  llvm::CrashRecoveryContext context;
  bool finished = context.RunSafelyOnThread(
      [&] {
        fatalMessage.clear();
        status = work();
      },
      stackSize);
  if (finished)
    return status;
  return makeError(ErrorKind::Internal, "the compiler failed while " +
                                            std::string(doing) +
                                            saveForReport(source));
}
