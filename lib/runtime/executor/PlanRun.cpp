//===- PlanRun.cpp - One execution of a function --------------------------===//
#include "runtime/executor/PlanRun.h"

using namespace bessemer;
using namespace bessemer::runtime;

PlanRun::PlanRun(PlanExecutor &executor)
    : executor(executor), plan(executor.thePlan), registers(plan.registerCount),
      blocks(plan.tensors.size()) {}

Error PlanRun::fail(ErrorKind kind, const std::string &what) const {
  return makeError(kind, "function '" + plan.function + "': " + what);
}

Result<std::vector<Tensor>> PlanRun::run(const std::vector<Tensor> &given) {
  if (Status status = bindInputs(given); !status)
    return status.error();
  for (current = 0; current < plan.steps.size(); ++current) {
    Status status =
        std::visit([&](const auto &s) { return step(s); }, plan.steps[current]);
    if (!status)
      return status.error();
    release(executor.deadAfter[current]);
    if (interrupt.requested())
      return fail(ErrorKind::Interrupted, "was interrupted");
  }
  return takeOutputs();
}
