//===- Faults.cpp - Fault signals in compiled code as errors --------------===//
#include "runtime/Faults.h"

#include "runtime/Fork.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <mutex>
#include <span>
#include <sys/mman.h>
#include <unistd.h>

using namespace bessemer::runtime;

static constexpr std::array faultSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static constexpr std::array leaveSignals{leaveSignal};

namespace {
/// What the handler needs of a thread. Static TLS: a handler must not allocate
/// thread-local storage.
struct ThreadState {
  sigjmp_buf *landing; ///< Set while compiled code runs.
  const FunctionRef<bool()> *shouldLeave;
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

/// Calls the handler of those who use the signal for something else.
static void callPrevious(int signal, siginfo_t *info, void *context) {
  const struct sigaction &target = previous[signal];
  if (target.sa_flags & SA_SIGINFO)
    target.sa_sigaction(signal, info, context);
  else if (target.sa_handler != SIG_IGN && target.sa_handler != SIG_DFL)
    target.sa_handler(signal);
}

/// Runs on the thread's own stack, as a call from compiled code would:
/// `shouldLeave` may run Python, which knows where its stack ends.
static void onLeaveSignal(int signal, siginfo_t *info, void *context) {
  if (info->si_code != SI_TKILL || info->si_pid != getpid())
    return callPrevious(signal, info, context);
  sigjmp_buf *landing = state.landing;
  if (!landing)
    return;
  int savedErrno = errno;
  const FunctionRef<bool()> *shouldLeave = state.shouldLeave;
  state.landing = nullptr;
  if ((*shouldLeave)()) {
    state.fault = {signal, 0};
    siglongjmp(*landing, 1);
  }
  state.shouldLeave = shouldLeave;
  state.landing = landing;
  errno = savedErrno;
}

static struct sigaction handlerOf(int signal) {
  struct sigaction action{};
  bool isFault = signal != leaveSignal;
  action.sa_sigaction = isFault ? onFault : onLeaveSignal;
  // NODEFER: the jump out of the handler leaves the signal unblocked.
  action.sa_flags =
      SA_SIGINFO | SA_NODEFER | (isFault ? SA_ONSTACK : SA_RESTART);
  sigemptyset(&action.sa_mask);
  return action;
}

static bool isOurs(int signal, const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) &&
         action.sa_sigaction == handlerOf(signal).sa_sigaction;
}

static void install(std::span<const int> signals) {
  struct sigaction present;
  bool complete = true;
  for (int signal : signals)
    complete &=
        sigaction(signal, nullptr, &present) == 0 && isOurs(signal, present);
  if (complete)
    return;
  ForkSection section;
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  for (int signal : signals) {
    if (sigaction(signal, nullptr, &present) != 0 || isOurs(signal, present))
      continue;
    previous[signal] = present;
    struct sigaction ours = handlerOf(signal);
    sigaction(signal, &ours, nullptr);
  }
}

void bessemer::runtime::installFaultHandlers() { install(faultSignals); }

void bessemer::runtime::installLeaveHandler() { install(leaveSignals); }

Fault bessemer::runtime::runGuarded(FunctionRef<void()> code,
                                    FunctionRef<bool()> shouldLeave) {
  static thread_local AlternateStack alternateStack;
  (void)alternateStack;
  sigjmp_buf landing;
  sigjmp_buf *const outer = state.landing;
  const FunctionRef<bool()> *const outerLeave = state.shouldLeave;
  state.foreignFaults = 0;
  if (sigsetjmp(landing, 0) != 0) {
    state.shouldLeave = outerLeave;
    state.landing = outer;
    return state.fault;
  }
  state.shouldLeave = &shouldLeave;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.landing = &landing;
  code();
  state.landing = nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.shouldLeave = outerLeave;
  state.landing = outer;
  return {};
}

OutsideCompiledCode::OutsideCompiledCode() : landing(state.landing) {
  state.landing = nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

OutsideCompiledCode::~OutsideCompiledCode() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.landing = static_cast<sigjmp_buf *>(landing);
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
