//===- Launch.cpp - Running a bound dispatch on the CPU -------------------===//
#include "runtime/Launch.h"

#include "runtime/DispatchFaults.h"
#include "runtime/DispatchWatch.h"
#include "runtime/FloatEnvironment.h"
#include "runtime/Interrupt.h"
#include "runtime/WorkerMemory.h"

#include <algorithm>

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
  /// Whether code in the middle of a group is to be abandoned.
  bool shouldLeave();

  /// Groups between two looks at the stop flag.
  static constexpr uint64_t groupsPerCall = 32;

  const KernelInfo &info;
  const bsm_kernel &body;
  bsm_launch &launch;
  DispatchFaults faults;
  InterruptPoll interrupt;
  const std::thread::id caller;
  std::atomic<bool> stopped{false};
};
} // namespace

void Running::pollInterrupt() {
  if (stopped.load(std::memory_order_relaxed) || !interrupt.requested())
    return;
  faults.record(makeError(ErrorKind::Interrupted,
                          "kernel '" + info.name + "' was interrupted"));
  stopped.store(true, std::memory_order_relaxed);
}

bool Running::shouldLeave() {
  if (std::this_thread::get_id() == caller)
    pollInterrupt();
  return stopped.load(std::memory_order_relaxed);
}

void Running::whileWaiting(ThreadPool &pool) {
  pollInterrupt();
  if (!stopped.load(std::memory_order_relaxed))
    return;
  // The result is an error by now; some may be in loops that never end.
  installLeaveHandler();
  pool.signalWorkers(leaveSignal);
}

void Running::runGroups(uint64_t first, uint64_t last) noexcept {
  if (stopped.load(std::memory_order_relaxed))
    return;
  WorkerMemory &memory = WorkerMemory::ofThread();
  if (!memory.reserve(launch.threadgroup_bytes, body.context_bytes)) {
    faults.record(makeError(ErrorKind::InvalidArgument,
                            "kernel '" + info.name + "' needs " +
                                std::to_string(body.context_bytes) +
                                " bytes for its threads, more than there is"));
    return stopped.store(true, std::memory_order_relaxed);
  }
  bsm_worker worker = memory.worker();
  const bool isCaller = std::this_thread::get_id() == caller;
  FloatEnvironment environment;
  for (; first < last && !stopped.load(std::memory_order_relaxed);
       first += groupsPerCall) {
    int32_t status = BSM_RUN_DONE;
    Fault fault = runGuarded(
        [&] {
          status = body.run(&launch, &worker, first,
                            std::min(first + groupsPerCall, last));
        },
        [&] { return shouldLeave(); });
    if (fault.signal && fault.signal != leaveSignal)
      faults.recordSignal(fault);
    if (fault.signal || status != BSM_RUN_DONE)
      stopped.store(true, std::memory_order_relaxed);
    if (isCaller)
      pollInterrupt();
  }
}

Status Running::result() {
  if (std::optional<Error> error = faults.first())
    return *error;
  if (stopped.load())
    return makeError( // Compiled code reports all else itself.
        ErrorKind::Fault,
        DispatchFaults::describe(info) +
            ": a threadgroup_barrier is not reached by all threads, some wait "
            "at another one; move barriers out of conditions that differ "
            "between the threads of a threadgroup");
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
