//===- PlanExecutor.cpp - Preparing a compiled function -------------------===//
#include "runtime/executor/PlanExecutor.h"

#include "runtime/executor/PlanRun.h"

#include <cstring>
#include <optional>

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::plan;

TensorId runtime::baseTensor(const Plan &plan, TensorId id) {
  while (plan.tensors[id].storage == Storage::Alias)
    id = plan.tensors[id].index;
  return id;
}

Result<std::unique_ptr<PlanExecutor>>
PlanExecutor::create(Plan plan, std::shared_ptr<CpuDevice> device,
                     const KernelResolver &resolve) {
  std::unique_ptr<PlanExecutor> executor(
      new PlanExecutor(std::move(plan), std::move(device)));
  if (Status status = executor->resolveKernels(resolve); !status)
    return status.error();
  if (Status status = executor->compileBodies(); !status)
    return status.error();
  if (Status status = executor->placeConstants(); !status)
    return status.error();
  executor->findLastUses();
  return executor;
}

Status PlanExecutor::resolveKernels(const KernelResolver &resolve) {
  kernels.assign(thePlan.steps.size(), nullptr);
  for (size_t i = 0; i < thePlan.steps.size(); ++i) {
    auto *dispatch = std::get_if<DispatchStep>(&thePlan.steps[i]);
    if (!dispatch)
      continue;
    Result<CpuKernel *> kernel = resolve(dispatch->source, dispatch->kernel);
    if (!kernel)
      return kernel.error();
    kernels[i] = *kernel;
  }
  return {};
}

/// Registers that one Constant step and nothing else sets.
static std::vector<std::optional<int64_t>> constantRegisters(const Plan &plan) {
  std::vector<std::optional<int64_t>> values(plan.registerCount);
  std::vector<bool> seen(plan.registerCount);
  for (const Step &step : plan.steps)
    if (auto *scalar = std::get_if<ScalarStep>(&step)) {
      bool isConstant = scalar->op == ScalarOp::Constant && !seen[scalar->dst];
      values[scalar->dst] =
          isConstant ? std::optional(scalar->immediate) : std::nullopt;
      seen[scalar->dst] = true;
    }
  return values;
}

Status PlanExecutor::compileBodies() {
  std::vector<std::optional<int64_t>> values = constantRegisters(thePlan);
  for (size_t i = 0; i < thePlan.steps.size(); ++i) {
    auto *dispatch = std::get_if<DispatchStep>(&thePlan.steps[i]);
    if (!dispatch)
      continue;
    GroupShape shape{};
    bool known = true;
    for (unsigned d = 0; d < 3; ++d) {
      std::optional<int64_t> value = values[dispatch->groupSize[d]];
      known &= value && *value > 0 && *value <= 1024;
      shape[d] = known ? *value : 0;
    }
    if (!known)
      continue;
    if (auto body = kernels[i]->body(shape); !body)
      return body.error();
  }
  return {};
}

Status PlanExecutor::placeConstants() {
  constants = Block::allocate(thePlan.constants.size());
  if (!constants.data)
    return makeError(ErrorKind::InvalidArgument,
                     "function '" + thePlan.function +
                         "': not enough memory for its constants");
  if (!thePlan.constants.empty())
    std::memcpy(constants.data.get(), thePlan.constants.data(),
                thePlan.constants.size());
  thePlan.constants = {};
  return {};
}

/// Calls `visit` with every tensor that a step names.
template <typename Visit>
static void forEachTensor(const Step &step, Visit visit) {
  if (auto *scalar = std::get_if<ScalarStep>(&step)) {
    if (scalar->op == ScalarOp::Read)
      visit(scalar->a);
  } else if (auto *dispatch = std::get_if<DispatchStep>(&step)) {
    for (const KernelArg &argument : dispatch->arguments) {
      if (auto *buffer = std::get_if<BufferArg>(&argument))
        visit(buffer->tensor);
      else if (auto *tensor = std::get_if<TensorArg>(&argument))
        visit(tensor->tensor);
    }
  } else if (auto *gemm = std::get_if<GemmStep>(&step)) {
    visit(gemm->a);
    visit(gemm->b);
    visit(gemm->c);
    if (gemm->hasBias)
      visit(gemm->bias);
  } else if (auto *copy = std::get_if<CopyStep>(&step)) {
    visit(copy->from);
    visit(copy->to);
  }
}

void PlanExecutor::findLastUses() {
  constexpr size_t never = SIZE_MAX;
  std::vector<size_t> lastUse(thePlan.tensors.size(), never);
  for (size_t i = 0; i < thePlan.steps.size(); ++i)
    forEachTensor(thePlan.steps[i],
                  [&](TensorId id) { lastUse[baseTensor(thePlan, id)] = i; });
  for (const Port &port : thePlan.outputs)
    lastUse[baseTensor(thePlan, port.tensor)] = never;
  deadAfter.resize(thePlan.steps.size());
  for (TensorId id = 0; id < thePlan.tensors.size(); ++id)
    if (thePlan.tensors[id].storage == Storage::Arena && lastUse[id] != never)
      deadAfter[lastUse[id]].push_back(id);
}

Result<std::vector<Tensor>>
PlanExecutor::run(const std::vector<Tensor> &inputs) {
  return PlanRun(*this).run(inputs);
}
