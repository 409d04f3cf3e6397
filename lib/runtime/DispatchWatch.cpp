//===- DispatchWatch.cpp - Looking after long dispatches ------------------===//
#include "runtime/DispatchWatch.h"

#include "runtime/Faults.h"
#include "runtime/Fork.h"
#include "runtime/ThreadRecords.h"

#include <chrono>
#include <csignal>
#include <pthread.h>
#include <sys/syscall.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <unordered_map>

using namespace bessemer::runtime;

namespace {
/// What a thread dispatches.
struct Dispatching {
  /// The dispatch's number and, in bit 0, whether it runs.
  std::atomic<uint64_t> state{0};
  std::atomic<pid_t> thread{0}; ///< As the system knows it.
  std::atomic<unsigned> generation{0};

  bool isOfThisProcess() const { return generation.load() == forkGeneration(); }
};

/// The thread that watches. It sleeps while nobody dispatches.
class Watcher {
public:
  /// Starts it or wakes it up.
  void ensureAwake() {
    if (!started.load(std::memory_order_relaxed) && !started.exchange(true))
      start();
    if (!asleep.load())
      return;
    asleep.store(false);
    asleep.notify_one();
  }

private:
  using Seen = std::unordered_map<const Dispatching *, uint64_t>;
  void start();
  void watch();
  void sleepUntilDispatch(const Seen &seen);
  static bool remindLongDispatches(Seen &seen);

  std::atomic<bool> started{false}, asleep{false};
};
} // namespace

static constexpr auto interval = std::chrono::milliseconds(50);

void Watcher::start() {
  sigset_t all, before;
  sigfillset(&all); // Signals belong to the threads of the application.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([this] { watch(); }).detach();
  } catch (const std::system_error &) {
    // At its thread limit, a process goes unwatched.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Watcher::watch() {
  pthread_setname_np(pthread_self(), "bessemer-watch");
  for (Seen seen;;) {
    std::this_thread::sleep_for(interval);
    if (!remindLongDispatches(seen))
      sleepUntilDispatch(seen);
  }
}

/// Signals the threads whose dispatch is the same as at the last look. False if
/// nothing was dispatched since.
bool Watcher::remindLongDispatches(Seen &seen) {
  bool active = false;
  ThreadRecords<Dispatching>::forEach([&](const Dispatching &record) {
    if (!record.isOfThisProcess())
      return;
    uint64_t state = record.state.load();
    uint64_t &before = seen[&record];
    bool isLong = (state & 1) && state == before;
    active |= isLong || state != before;
    // If the dispatch has ended meanwhile, the thread takes it for nothing.
    if (isLong) {
      installLeaveHandler();
      syscall(SYS_tgkill, getpid(), record.thread.load(), leaveSignal);
    }
    before = state;
  });
  return active;
}

void Watcher::sleepUntilDispatch(const Seen &seen) {
  asleep.store(true);
  // A dispatch writes its state, then looks whether we sleep; we do it the
  // other way round, so one sees the other.
  ThreadRecords<Dispatching>::forEach([&](const Dispatching &record) {
    auto known = seen.find(&record);
    if (known == seen.end() || record.state.load() != known->second)
      if (record.isOfThisProcess())
        asleep.store(false);
  });
  asleep.wait(true);
}

static Watcher &watcher() {
  // Never destroyed: threads may run during static destruction.
  static auto &watchers = *new ForkLocal<Watcher>;
  return watchers.get();
}

static Dispatching &ownRecord() {
  // Records and forking threads outlive what the system calls them.
  static thread_local unsigned known = UINT32_MAX;
  Dispatching &own = ThreadRecords<Dispatching>::ofThread();
  if (unsigned generation = forkGeneration(); known != generation) {
    own.thread.store(gettid());
    own.generation.store(generation);
    known = generation;
  }
  return own;
}

DispatchWatch::DispatchWatch() {
  static std::atomic<uint64_t> count{0};
  Dispatching &own = ownRecord();
  outer = own.state.load(std::memory_order_relaxed);
  number = count.fetch_add(1, std::memory_order_relaxed) + 1;
  own.state.store(number << 1 | 1);
  watcher().ensureAwake();
}

DispatchWatch::~DispatchWatch() {
  bool isNested = outer & 1;
  ThreadRecords<Dispatching>::ofThread().state.store(
      isNested ? outer : number << 1, std::memory_order_release);
}
