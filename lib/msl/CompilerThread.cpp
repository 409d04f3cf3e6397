//===- CompilerThread.cpp - A thread that untrusted text runs on ----------===//
#include "msl/CompilerThread.h"

#include "support/Cancellation.h"

#include "llvm/Support/CrashRecoveryContext.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace bessemer;
using namespace bessemer::msl;

static std::atomic<int32_t (*)()> interruptCheck{nullptr};

void msl::setCompilerInterruptCheck(int32_t (*check)()) {
  interruptCheck.store(check);
}

static thread_local unsigned *currentLine = nullptr;

void msl::noteLine(unsigned line) {
  if (currentLine)
    *currentLine = line;
}

namespace {

/// Anonymous memory; address space only, until it is touched.
class Pages {
public:
  explicit Pages(size_t size) : size(size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  }
  ~Pages() {
    if (*this)
      munmap(memory, size);
  }
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;

  explicit operator bool() const { return memory != MAP_FAILED; }
  char *begin() const { return static_cast<char *>(memory); }

  const size_t size;

private:
  void *memory;
};

/// The stack of one compiler thread, with an unreadable page below it.
class DeepStack {
public:
  /// SourceLimits.cpp keeps the recursion of what it lets through far below.
  static constexpr size_t most = size_t(512) << 20;
  static constexpr size_t least = size_t(16) << 20;

  /// Smaller where a limit on address space does not allow the most.
  static std::unique_ptr<DeepStack> create() {
    for (size_t size = most; size >= least; size /= 2) {
      auto stack = std::unique_ptr<DeepStack>(new DeepStack(size));
      if (stack->pages)
        return stack;
    }
    return nullptr;
  }

  char *usable() const { return pages.begin() + guardSize(); }
  size_t usableSize() const { return pages.size - guardSize(); }

  /// Whether the work came to the end of the stack. Pages that nothing touched
  /// are not in memory. The widest frame is much smaller than what is looked
  /// at.
  bool wasFull() const {
    size_t page = guardSize();
    std::vector<unsigned char> present((size_t(1) << 20) / page);
    return mincore(usable(), present.size() * page, present.data()) == 0 &&
           std::any_of(present.begin(), present.end(),
                       [](unsigned char state) { return state & 1; });
  }

private:
  explicit DeepStack(size_t size) : pages(size) {
    if (pages)
      mprotect(pages.begin(), guardSize(), PROT_NONE);
  }
  static size_t guardSize() {
    static const size_t size = sysconf(_SC_PAGESIZE);
    return size;
  }

  Pages pages;
};

/// Where this thread's signal handlers run: on its own stack they could not
/// run once that is full.
class SignalStack {
public:
  SignalStack() : pages(size_t(64) << 10) {
    stack_t stack{pages.begin(), 0, pages.size};
    if (pages)
      sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    stack_t none{nullptr, SS_DISABLE, 0};
    sigaltstack(&none, nullptr);
  }

private:
  Pages pages;
};

/// The work, and what its two threads tell each other.
class Job {
public:
  explicit Job(llvm::function_ref<void()> work) : work(work) {}

  void run() {
    SignalStack signals;
    currentLine = &line;
    CancellationScope scope(cancelled);
    llvm::CrashRecoveryContext recovery;
    bool succeeded = recovery.RunSafely(work);
    std::lock_guard lock(mutex);
    hasCrashed = !succeeded;
    isDone = true;
    done.notify_one();
  }

  /// Waits for the end, and asks the user now and then.
  void wait() {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex);
    while (!done.wait_for(lock, 50ms, [&] { return isDone; })) {
      auto *check = interruptCheck.load();
      if (!check || cancelled)
        continue;
      lock.unlock();
      if (check())
        cancelled = true;
      lock.lock();
    }
  }

  Outcome outcome(const DeepStack &stack) const {
    Outcome::End end = !hasCrashed       ? Outcome::Finished
                       : stack.wasFull() ? Outcome::TooDeep
                                         : Outcome::Crashed;
    return {end, cancelled, line};
  }

private:
  llvm::function_ref<void()> work;
  std::atomic<bool> cancelled{false};
  std::mutex mutex;
  std::condition_variable done;
  unsigned line = 0;
  bool isDone = false;
  bool hasCrashed = false;
};

} // namespace

/// LLVM's handlers stay on the thread's own stack, where they cannot tell of
/// one that is full.
static void useSignalStacks() {
  for (int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) != 0 ||
        (action.sa_flags & SA_ONSTACK) || action.sa_handler == SIG_DFL ||
        action.sa_handler == SIG_IGN)
      continue;
    action.sa_flags |= SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
}

static void *start(void *job) {
  static_cast<Job *>(job)->run();
  return nullptr;
}

Outcome msl::runOnCompilerThread(llvm::function_ref<void()> work) {
  llvm::CrashRecoveryContext::Enable();
  useSignalStacks();
  Job job(work);
  std::unique_ptr<DeepStack> stack = DeepStack::create();
  if (!stack)
    return {Outcome::NoThread, false, 0};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack->usable(), stack->usableSize());
  pthread_t thread;
  int failure = pthread_create(&thread, &attributes, start, &job);
  pthread_attr_destroy(&attributes);
  if (failure)
    return {Outcome::NoThread, false, 0};
  job.wait();
  pthread_join(thread, nullptr);
  return job.outcome(*stack);
}
