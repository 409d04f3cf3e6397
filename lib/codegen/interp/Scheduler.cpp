//===- Scheduler.cpp - The rounds of one threadgroup ----------------------===//
#include "codegen/interp/Scheduler.h"
#include "codegen/interp/SimdOps.h"

using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

using ThreadRefs = SmallVector<Thread *, 32>;

static bool isRunnable(const Thread *thread) {
  return thread->state() == Thread::State::Runnable;
}

static bool isWaiting(const Thread *thread) {
  return thread->state() == Thread::State::Waiting;
}

/// The waiting lanes that are furthest back, all at the same point.
static ThreadRefs furthestBack(ArrayRef<Thread *> lanes) {
  ThreadRefs chosen;
  for (Thread *lane : lanes) {
    if (!isWaiting(lane))
      continue;
    int order = chosen.empty() ? -1 : Thread::compare(*lane, *chosen.front());
    if (order < 0)
      chosen.clear();
    if (order <= 0)
      chosen.push_back(lane);
  }
  return chosen;
}

/// Runs a simdgroup until it has finished or waits at a barrier, or until some
/// of its lanes have had a turn.
static bool runSimdgroup(ArrayRef<Thread *> lanes) {
  while (true) {
    for (Thread *lane : lanes)
      if (isRunnable(lane) && !lane->run())
        return false;
    if (any_of(lanes, isRunnable))
      return true;
    ThreadRefs waiting = furthestBack(lanes);
    if (waiting.empty() || waiting.front()->isAtBarrier())
      return true;
    if (!executeCrossLane(waiting))
      return false;
  }
}

/// All threads that have not returned must wait at the same barrier.
static bool passBarrier(ArrayRef<Thread *> threads) {
  ThreadRefs waiting = furthestBack(threads);
  for (Thread *thread : threads) {
    if (!isWaiting(thread) || Thread::compare(*thread, *waiting.front()) == 0)
      continue;
    bool isSameLine = thread->location() == waiting.front()->location();
    return waiting.front()->fail(
        "threadgroup_barrier is not reached by all threads: " +
        thread->describe() +
        (isSameLine ? " waits there in another iteration or call"
                    : " waits at " + thread->location()));
  }
  for (Thread *thread : waiting)
    thread->resume({});
  return true;
}

bool interp::runThreadgroup(Machine &machine, const llvm::Function &kernel,
                            const std::vector<Leaves> &arguments,
                            const GroupShape &shape) {
  machine.resetThreadgroupMemory();
  std::vector<std::unique_ptr<Thread>> threads;
  SmallVector<Thread *, 0> refs;
  for (unsigned i = 0; i < shape.threads(); ++i) {
    threads.push_back(std::make_unique<Thread>(machine, shape, i));
    refs.push_back(threads.back().get());
    if (!refs.back()->start(kernel, arguments))
      return false;
  }
  ArrayRef<Thread *> all(refs);
  do {
    for (size_t first = 0; first < all.size(); first += 32)
      if (!runSimdgroup(
              all.slice(first, std::min<size_t>(32, all.size() - first))))
        return false;
    if (!any_of(all, isRunnable) && any_of(all, isWaiting) && !passBarrier(all))
      return false;
  } while (any_of(all, isRunnable));
  return true;
}
