//===- Guard.cpp - Compiler crashes as errors -----------------------------===//
#include "compiler/Guard.h"

#include "msl/CompilerThread.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>
#include <utility>

using namespace bessemer;
using namespace bessemer::compiler;

/// What LLVM last said before it gave up.
static std::mutex fatalMutex;
static std::string fatalMessage;

/// report_fatal_error would exit the process; unwind to the guard instead.
static void onFatalError(void *, const char *reason, bool) {
  {
    std::lock_guard lock(fatalMutex);
    fatalMessage = reason;
  }
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
  stream.close();
  if (stream.has_error()) { // a full disk
    stream.clear_error();
    llvm::sys::fs::remove(path);
    return {};
  }
  return "; the source is saved in " + path.str().str() + " for a report";
}

static Status failed(std::string_view doing, std::string_view source) {
  std::string reason;
  {
    std::lock_guard lock(fatalMutex);
    if (!fatalMessage.empty())
      reason = " (" + std::exchange(fatalMessage, {}) + ")";
  }
  return makeError(ErrorKind::Internal, "the compiler failed while " +
                                            std::string(doing) + reason +
                                            saveForReport(source));
}

static Error tooDeep(std::string_view doing, const GuardedSource &source,
                     unsigned line) {
  std::string place(source.fileName);
  if (!place.empty())
    place += (line ? ":" + std::to_string(line) : "") + ": error: ";
  return makeError(ErrorKind::Compile,
                   place + "the source is nested too deeply for " +
                       std::string(doing) +
                       "; split long expressions, chains of statements or"
                       " types");
}

Status bessemer::compiler::guarded(std::string_view doing,
                                   const GuardedSource &source, bool &isBroken,
                                   llvm::function_ref<Status()> work) {
  installOnce();
  Status status;
  msl::Outcome outcome = msl::runOnCompilerThread([&] { status = work(); });
  using Outcome = msl::Outcome;
  isBroken = outcome.end == Outcome::TooDeep || outcome.end == Outcome::Crashed;
  if (outcome.isInterrupted)
    return makeError(ErrorKind::Interrupted,
                     "interrupted while " + std::string(doing));
  switch (outcome.end) {
  case Outcome::Finished:
    return status;
  case Outcome::TooDeep:
    return tooDeep(doing, source, outcome.line);
  case Outcome::Crashed:
    return failed(doing, source.text);
  case Outcome::NoThread:
    break;
  }
  return makeError(ErrorKind::Internal,
                   "no thread or stack is left for " + std::string(doing) +
                       "; raise the limits on processes or memory");
}

Status bessemer::compiler::guardedInPlace(std::string_view doing,
                                          llvm::function_ref<Status()> work) {
  installOnce();
  Status status;
  llvm::CrashRecoveryContext context;
  return context.RunSafely([&] { status = work(); }) ? status
                                                     : failed(doing, {});
}
