//===- Launch.cpp - Running a bound dispatch on the CPU -------------------===//
#include "runtime/Launch.h"

#include "runtime/DispatchFaults.h"
#include "runtime/DispatchWatch.h"
#include "runtime/FloatEnvironment.h"
#include "runtime/Interrupt.h"
#include "runtime/WorkerMemory.h"

#include <algorithm>
#include <chrono>

using namespace bessemer;
using namespace bessemer::runtime;

namespace {
/// One dispatch while it runs.
class Running {
public:
  Running(const KernelInfo &info, const bsm_kernel &body,
          BoundDispatch &dispatch)
      : info(info), body(body), launch(dispatch.launch),
        faults(info, launch, dispatch.indexMessage),
        caller(std::this_thread::get_id()) {
    launch.services = &DispatchFaults::services;
    launch.dispatch = &faults;
  }

  /// Runs groups [first, last) on the calling thread.
  void runGroups(uint64_t first, uint64_t last) noexcept;
  void pollInterrupt();
  /// Called by the caller while others still work.
  void whileWaiting(ThreadPool &pool);
  Status result();

private:
  /// Runs groups [first, last), a call of compiled code; false if they failed.
  bool runCall(bsm_worker &worker, uint64_t first, uint64_t last);
  /// Groups from `group` on need not run any more.
  void stopBefore(uint64_t group);
  /// Whether an error was found whose groups are not after `group`, or so long
  /// ago that lower groups may be in loops that never end.
  bool isStopped(uint64_t group) const;
  /// Whether code in the middle of a group is to be abandoned.
  bool shouldLeave();

  using Clock = std::chrono::steady_clock;
  /// Groups between two looks at the end.
  static constexpr uint64_t groupsPerCall = 32;
  /// How long lower groups may go on once an error was found.
  static constexpr Clock::duration patience = std::chrono::seconds(1);
  static constexpr uint64_t never = UINT64_MAX;

  const KernelInfo &info;
  const bsm_kernel &body;
  bsm_launch &launch;
  DispatchFaults faults;
  InterruptPoll interrupt;
  const std::thread::id caller;
  /// The lowest group that failed; lower ones go on, they may fail as well.
  std::atomic<uint64_t> end{never};
  std::atomic<Clock::time_point> failedAt{Clock::time_point::max()};
};
} // namespace

void Running::stopBefore(uint64_t group) {
  Clock::time_point noTime = Clock::time_point::max();
  failedAt.compare_exchange_strong(noTime, Clock::now());
  uint64_t known = end.load();
  while (group < known && !end.compare_exchange_weak(known, group))
    ;
}

bool Running::isStopped(uint64_t group) const {
  uint64_t failed = end.load(std::memory_order_relaxed);
  if (failed == never)
    return false;
  return group >= failed || Clock::now() - failedAt.load() > patience;
}

void Running::pollInterrupt() {
  if (isStopped(0) || !interrupt.requested())
    return;
  faults.record(0, makeError(ErrorKind::Interrupted,
                             "kernel '" + info.name + "' was interrupted"));
  stopBefore(0);
}

bool Running::shouldLeave() {
  if (std::this_thread::get_id() == caller)
    pollInterrupt();
  return isStopped(DispatchFaults::Groups::current());
}

void Running::whileWaiting(ThreadPool &pool) {
  pollInterrupt();
  if (end.load() == never)
    return;
  // The result is an error by now; some may be in loops that never end.
  installLeaveHandler();
  pool.signalWorkers(leaveSignal);
}

bool Running::runCall(bsm_worker &worker, uint64_t first, uint64_t last) {
  DispatchFaults::Groups groups(first);
  int32_t status = BSM_RUN_DONE;
  Fault fault =
      runGuarded([&] { status = body.run(&launch, &worker, first, last); },
                 [&] { return shouldLeave(); });
  if (!fault.signal && status == BSM_RUN_DONE)
    return true;
  if (!fault.signal)
    faults.record(makeError( // Unless compiled code reported something itself.
        ErrorKind::Fault,
        DispatchFaults::describe(info) +
            ": a threadgroup_barrier is not reached by all threads, some wait "
            "at another one; move barriers out of conditions that differ "
            "between the threads of a threadgroup"));
  else if (fault.signal != leaveSignal)
    faults.recordSignal(fault);
  return false;
}

void Running::runGroups(uint64_t first, uint64_t last) noexcept {
  if (isStopped(first))
    return;
  WorkerMemory &memory = WorkerMemory::ofThread();
  if (!memory.reserve(launch.threadgroup_bytes, body.context_bytes)) {
    faults.record(0, makeError(ErrorKind::InvalidArgument,
                               "kernel '" + info.name + "' needs " +
                                   std::to_string(body.context_bytes) +
                                   " bytes for its threads, more than there "
                                   "is"));
    return stopBefore(0);
  }
  bsm_worker worker = memory.worker();
  const bool isCaller = std::this_thread::get_id() == caller;
  FloatEnvironment environment;
  for (; first < last && !isStopped(first); first += groupsPerCall) {
    if (!runCall(worker, first, std::min(first + groupsPerCall, last)))
      stopBefore(first);
    if (isCaller)
      pollInterrupt();
  }
}

Status Running::result() {
  if (std::optional<Error> error = faults.first())
    return *error;
  return {};
}

void runtime::placeThreadgroupMemory(BoundDispatch &dispatch,
                                     size_t staticBytes) {
  uint32_t offset = (staticBytes + 63) & ~size_t(63);
  for (unsigned i = 0; i < BSM_MAX_BUFFERS; ++i) {
    dispatch.launch.threadgroup_offset[i] = offset;
    offset += (dispatch.threadgroupBytes[i] + 63) & ~63u;
  }
  dispatch.launch.threadgroup_bytes = offset;
}

Status runtime::launch(CpuDevice &device, CpuKernel &kernel,
                       BoundDispatch &dispatch) {
  if (dispatch.groupCount == 0)
    return {};
  Result<const bsm_kernel *> body =
      kernel.body(specialisationFor(dispatch.launch));
  if (!body)
    return body.error();
  installFaultHandlers();
  DispatchWatch watch;
  placeThreadgroupMemory(dispatch, (*body)->threadgroup_bytes);
  Running running(kernel.info(), **body, dispatch);
  // Several chunks a thread, because groups differ in cost.
  uint64_t chunk = dispatch.groupCount / (uint64_t(device.threads()) * 8);
  device.pool().parallelFor(
      dispatch.groupCount, chunk,
      [&](uint64_t first, uint64_t last) { running.runGroups(first, last); },
      [&] { running.whileWaiting(device.pool()); });
  return running.result();
}
