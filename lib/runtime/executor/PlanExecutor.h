//===- PlanExecutor.h - Running compiled functions --------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_EXECUTOR_PLANEXECUTOR_H
#define BESSEMER_RUNTIME_EXECUTOR_PLANEXECUTOR_H

#include "bessemer/tensor.h"
#include "plan/Plan.h"
#include "runtime/BlockPool.h"
#include "runtime/CpuDevice.h"
#include "runtime/CpuKernel.h"

#include <functional>

namespace bessemer::runtime {

/// Finds kernel `name` of source `source` of the plan; it must outlive the
/// executor.
using KernelResolver =
    std::function<Result<CpuKernel *>(uint32_t source, std::string_view name)>;

/// One function, ready to run any number of times on any number of threads.
class PlanExecutor {
public:
  /// Resolves every kernel and compiles the bodies whose threadgroup shape the
  /// plan fixes. `plan` must be verified.
  static Result<std::unique_ptr<PlanExecutor>>
  create(plan::Plan plan, std::shared_ptr<CpuDevice> device,
         const KernelResolver &resolve);

  const plan::Plan &plan() const { return thePlan; }
  /// Inputs and results in declared order; results own their memory.
  Result<std::vector<Tensor>> run(const std::vector<Tensor> &inputs);

private:
  friend class PlanRun;
  PlanExecutor(plan::Plan plan, std::shared_ptr<CpuDevice> device)
      : thePlan(std::move(plan)), device(std::move(device)) {}
  Status resolveKernels(const KernelResolver &resolve);
  Status compileBodies();
  Status placeConstants();
  void findLastUses();

  plan::Plan thePlan;
  std::shared_ptr<CpuDevice> device;
  std::vector<CpuKernel *> kernels; ///< By step; null for other steps.
  Block constants;                  ///< Plan::constants, aligned.
  /// Tensors (those with bytes of their own) that no later step uses, by step.
  std::vector<std::vector<plan::TensorId>> deadAfter;
  BlockPool blocks;
};

/// The tensor at the end of a chain of aliases.
plan::TensorId baseTensor(const plan::Plan &plan, plan::TensorId id);

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_EXECUTOR_PLANEXECUTOR_H
