//===- PlanExecutor.cpp - Preparing a compiled function -------------------===//
#include "runtime/executor/PlanExecutor.h"

#include "runtime/executor/PlanRun.h"

#include <algorithm>
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
                     const KernelResolver &resolve, ProgramFile file) {
  if (plan.fileBytes != file.bytes.size() && plan.fileBytes != 0)
    return makeError(ErrorKind::Corrupt,
                     "function '" + plan.function +
                         "' was compiled for another file; compile it again");
  std::unique_ptr<PlanExecutor> executor(
      new PlanExecutor(std::move(plan), std::move(device), std::move(file)));
  if (Status status = executor->resolveKernels(resolve); !status)
    return status.error();
  if (Status status = executor->compileBodies(); !status)
    return status.error();
  if (Status status = executor->placeConstants(); !status)
    return status.error();
  executor->findLastUses();
  return executor;
}

/// Among the first `inputs` arguments that have memory, those that are written.
static std::vector<size_t> writtenArguments(const KernelInfo &kernel,
                                            uint32_t inputs) {
  std::vector<size_t> written;
  size_t number = 0;
  for (const Argument &argument : kernel.arguments) {
    if (argument.kind == ArgumentKind::ThreadgroupMemory)
      continue;
    if (number < inputs && argument.access != Access::Read)
      written.push_back(number);
    ++number;
  }
  return written;
}

Status PlanExecutor::resolveKernels(const KernelResolver &resolve) {
  prepared.resize(blockCount());
  for (size_t block = 0; block < blockCount(); ++block) {
    const std::vector<Step> &steps = stepsOf(block);
    prepared[block].resize(steps.size());
    for (size_t i = 0; i < steps.size(); ++i) {
      auto *dispatch = std::get_if<DispatchStep>(&steps[i]);
      if (!dispatch)
        continue;
      Result<CpuKernel *> kernel = resolve(dispatch->source, dispatch->kernel);
      if (!kernel)
        return kernel.error();
      prepared[block][i].kernel = *kernel;
      prepared[block][i].writtenInputs =
          writtenArguments((*kernel)->info(), dispatch->inputs);
    }
  }
  return {};
}

std::vector<const KernelInfo *> PlanExecutor::kernels() const {
  std::vector<const KernelInfo *> kernels;
  for (const std::vector<PreparedStep> &block : prepared)
    for (const PreparedStep &step : block)
      if (step.kernel && std::find(kernels.begin(), kernels.end(),
                                   &step.kernel->info()) == kernels.end())
        kernels.push_back(&step.kernel->info());
  return kernels;
}

/// Registers that one Constant step and nothing else sets.
static std::vector<std::optional<int64_t>> constantRegisters(const Plan &plan) {
  std::vector<std::optional<int64_t>> values(plan.registerCount);
  std::vector<bool> seen(plan.registerCount);
  for (size_t block = 0; block <= plan.blocks.size(); ++block)
    for (const Step &step : block ? plan.blocks[block - 1] : plan.steps)
      if (auto *scalar = std::get_if<ScalarStep>(&step)) {
        bool isConstant =
            scalar->op == ScalarOp::Constant && !seen[scalar->dst];
        values[scalar->dst] =
            isConstant ? std::optional(scalar->immediate) : std::nullopt;
        seen[scalar->dst] = true;
      }
  return values;
}

/// What a dispatch needs, if its group shape does not depend on the inputs.
static std::optional<Specialisation>
knownForm(const DispatchStep &dispatch,
          const std::vector<std::optional<int64_t>> &registers) {
  Specialisation form{{}, /*completeGroups=*/true};
  for (unsigned d = 0; d < 3; ++d) {
    std::optional<int64_t> extent = registers[dispatch.groupSize[d]],
                           threads = registers[dispatch.threads[d]];
    if (!extent || *extent <= 0 || *extent > 1024)
      return std::nullopt;
    form.group[d] = *extent;
    form.completeGroups &= threads && *threads % *extent == 0;
  }
  return form;
}

Status PlanExecutor::compileBodies() {
  std::vector<std::optional<int64_t>> values = constantRegisters(thePlan);
  for (size_t block = 0; block < blockCount(); ++block) {
    const std::vector<Step> &steps = stepsOf(block);
    for (size_t i = 0; i < steps.size(); ++i) {
      auto *dispatch = std::get_if<DispatchStep>(&steps[i]);
      std::optional<Specialisation> form =
          dispatch ? knownForm(*dispatch, values) : std::nullopt;
      if (!form)
        continue;
      if (auto body = prepared[block][i].kernel->body(*form); !body)
        return body.error();
    }
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
  } else if (auto *convolution = std::get_if<ConvolutionStep>(&step)) {
    visit(convolution->input);
    visit(convolution->weight);
    visit(convolution->output);
  } else if (auto *branch = std::get_if<IfStep>(&step)) {
    visit(branch->condition);
  } else if (auto *loop = std::get_if<WhileStep>(&step)) {
    visit(loop->condition);
  }
}

static std::vector<uint32_t> blocksOf(const Step &step) {
  if (auto *branch = std::get_if<IfStep>(&step))
    return {branch->thenBlock, branch->elseBlock};
  if (auto *loop = std::get_if<WhileStep>(&step))
    return {loop->before, loop->body};
  return {};
}

/// How often the step itself names each base tensor.
PlanExecutor::UseCounts PlanExecutor::usesOf(const Step &step) const {
  UseCounts uses;
  forEachTensor(step, [&](TensorId id) { ++uses[baseTensor(thePlan, id)]; });
  return uses;
}

/// Tensors die in the innermost block that has all of their uses. Returns the
/// uses in this block and those within it.
PlanExecutor::UseCounts PlanExecutor::findLastUses(size_t block,
                                                   const UseCounts &all) {
  UseCounts total;
  std::map<TensorId, size_t> last;
  const std::vector<Step> &steps = stepsOf(block);
  for (size_t i = 0; i < steps.size(); ++i) {
    UseCounts uses = usesOf(steps[i]);
    for (uint32_t inner : blocksOf(steps[i]))
      for (auto [id, count] : findLastUses(inner, all))
        if (count != all.at(id)) // Else it died there.
          uses[id] += count;
    for (auto [id, count] : uses) {
      total[id] += count;
      last[id] = i;
    }
  }
  for (auto [id, step] : last)
    if (thePlan.tensors[id].storage == Storage::Arena &&
        total[id] == all.at(id))
      prepared[block][step].dead.push_back(id);
  return total;
}

void PlanExecutor::findLastUses() {
  UseCounts all;
  for (size_t block = 0; block < blockCount(); ++block)
    for (const Step &step : stepsOf(block))
      for (auto [id, count] : usesOf(step))
        all[id] += count;
  for (const Port &port : thePlan.outputs)
    ++all[baseTensor(thePlan, port.tensor)];
  findLastUses(mainBlock(), all);
}

Result<std::vector<Tensor>>
PlanExecutor::run(const std::vector<Tensor> &inputs,
                  const std::vector<Tensor> &states) {
  return PlanRun(*this).run(inputs, states);
}
