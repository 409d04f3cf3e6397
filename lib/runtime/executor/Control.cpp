//===- Control.cpp - Branches and loops of a run --------------------------===//
#include "runtime/executor/PlanRun.h"

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::plan;

Result<bool> PlanRun::isTrue(TensorId condition) {
  Result<Tensor> value = tensor(condition);
  if (!value)
    return value.error();
  if (value->elementCount() != 1)
    return fail(ErrorKind::InvalidArgument,
                "a condition has " + std::to_string(value->elementCount()) +
                    " elements; it needs one");
  return *static_cast<const uint8_t *>(value->data) != 0;
}

Status PlanRun::step(const IfStep &step) {
  Result<bool> condition = isTrue(step.condition);
  if (!condition)
    return condition.error();
  return runBlock(*condition ? step.thenBlock : step.elseBlock);
}

Status PlanRun::step(const WhileStep &step) {
  for (;;) {
    if (Status status = runBlock(step.before); !status)
      return status;
    Result<bool> condition = isTrue(step.condition);
    if (!condition)
      return condition.error();
    if (!*condition)
      return {};
    if (Status status = runBlock(step.body); !status)
      return status;
  }
}
