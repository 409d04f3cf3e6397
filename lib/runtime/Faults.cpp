//===- Faults.cpp - Fault signals in compiled code as errors --------------===//
#include "runtime/Faults.h"

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

using namespace bessemer::runtime;

static constexpr std::array faultSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};

namespace {
/// What the handler needs of a thread. Static TLS: a handler must not allocate
/// thread-local storage.
struct ThreadState {
  sigjmp_buf *landing; ///< Set while compiled code runs.
  Fault fault;
  unsigned foreignFaults; ///< Since compiled code last ran here.
};

/// The handler's own stack, in case the thread's overflowed.
class AlternateStack {
public:
  AlternateStack() {
    stack_t present;
    if (sigaltstack(nullptr, &present) != 0 || !(present.ss_flags & SS_DISABLE))
      return; // somebody gave this thread one
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return;
    stack_t ours{memory, 0, size};
    sigaltstack(&ours, nullptr);
  }
  ~AlternateStack() {
    if (memory == MAP_FAILED)
      return;
    stack_t present;
    if (sigaltstack(nullptr, &present) == 0 && present.ss_sp == memory) {
      stack_t none{nullptr, SS_DISABLE, 0};
      sigaltstack(&none, nullptr);
    }
    munmap(memory, size);
  }

private:
  static constexpr size_t size = 64 << 10; // AMX state alone takes 11 KiB
  void *memory = MAP_FAILED;
};
} // namespace

static thread_local ThreadState state
    __attribute__((tls_model("initial-exec")));
static std::array<struct sigaction, NSIG> previous;

/// Gives the signal back to its former handler: a fault repeats when the
/// instruction does, a sent signal is sent again. If that one hands it back to
/// us once more, the system's default ends it.
static void forward(int signal, const siginfo_t *info) {
  struct sigaction target = previous[signal];
  if (state.foreignFaults++ > 0) {
    target = {};
    target.sa_handler = SIG_DFL;
  }
  sigaction(signal, &target, nullptr);
  if (info->si_code <= 0)
    raise(signal);
}

static void onFault(int signal, siginfo_t *info, void *) {
  if (!state.landing || info->si_code <= 0)
    return forward(signal, info);
  state.fault = {signal, reinterpret_cast<uintptr_t>(info->si_addr)};
  sigjmp_buf *landing = state.landing;
  state.landing = nullptr;
  siglongjmp(*landing, 1);
}

static bool isOurs(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == onFault;
}

void bessemer::runtime::installFaultHandlers() {
  struct sigaction present;
  bool complete = true;
  for (int signal : faultSignals)
    complete &= sigaction(signal, nullptr, &present) == 0 && isOurs(present);
  if (complete)
    return;
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  for (int signal : faultSignals) {
    if (sigaction(signal, nullptr, &present) != 0 || isOurs(present))
      continue;
    previous[signal] = present;
    struct sigaction ours{};
    ours.sa_sigaction = onFault;
    // NODEFER: the jump out of the handler leaves the signal unblocked.
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    sigaction(signal, &ours, nullptr);
  }
}

Fault bessemer::runtime::runGuarded(FunctionRef<void()> code) {
  static thread_local AlternateStack alternateStack;
  (void)alternateStack;
  sigjmp_buf landing;
  sigjmp_buf *const outer = state.landing;
  state.foreignFaults = 0;
  if (sigsetjmp(landing, 0) != 0) {
    state.landing = outer;
    return state.fault;
  }
  state.landing = &landing;
  code();
  state.landing = outer;
  return {};
}

const char *bessemer::runtime::describeSignal(int signal) {
  switch (signal) {
  case SIGSEGV:
    return "invalid memory access (SIGSEGV)";
  case SIGBUS:
    return "access to missing memory (SIGBUS)";
  case SIGFPE:
    return "arithmetic fault (SIGFPE)";
  default:
    return "illegal instruction (SIGILL)";
  }
}
