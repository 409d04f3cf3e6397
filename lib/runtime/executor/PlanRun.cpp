//===- PlanRun.cpp - One execution of a function --------------------------===//
#include "runtime/executor/PlanRun.h"

#include "runtime/Fork.h"

#include <mutex>

using namespace bessemer;
using namespace bessemer::runtime;

PlanRun::PlanRun(PlanExecutor &executor)
    : executor(executor), plan(executor.thePlan), registers(plan.registerCount),
      blocks(plan.tensors.size()) {}

Error PlanRun::fail(ErrorKind kind, const std::string &what) const {
  return makeError(kind, "function '" + plan.function + "': " + what);
}

Status PlanRun::runBlock(size_t number) {
  const std::vector<plan::Step> &steps = executor.stepsOf(number);
  for (size_t i = 0; i < steps.size(); ++i) {
    current = &executor.prepared[number][i];
    if (Status status =
            std::visit([&](const auto &s) { return step(s); }, steps[i]);
        !status)
      return status;
    release(executor.prepared[number][i].dead);
    if (interrupt.requested())
      return fail(ErrorKind::Interrupted, "was interrupted");
  }
  return {};
}

/// One run at a time writes states: two may have been given the same.
static std::mutex &stateMutex() {
  static auto &mutexes = *new ForkLocal<std::mutex>;
  return mutexes.get();
}

Result<std::vector<Tensor>>
PlanRun::run(const std::vector<Tensor> &given,
             const std::vector<Tensor> &givenStates) {
  std::unique_lock<std::mutex> lock(stateMutex(), std::defer_lock);
  if (!plan.states.empty())
    lock.lock();
  if (Status status = bindStates(givenStates); !status)
    return status.error();
  if (Status status = bindInputs(given); !status)
    return status.error();
  if (Status status = runBlock(executor.mainBlock()); !status)
    return status.error();
  writeBackStates(givenStates);
  return takeOutputs();
}
