//===- PlanExecutor.h - Running compiled functions --------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_EXECUTOR_PLANEXECUTOR_H
#define BESSEMER_RUNTIME_EXECUTOR_PLANEXECUTOR_H

#include "bessemer/tensor.h"
#include "plan/Plan.h"
#include "runtime/BlockPool.h"
#include "runtime/CpuDevice.h"
#include "runtime/CpuKernel.h"

#include <functional>
#include <map>

namespace bessemer::runtime {

/// Finds kernel `name` of source `source` of the plan; it must outlive the
/// executor.
using KernelResolver =
    std::function<Result<CpuKernel *>(uint32_t source, std::string_view name)>;

/// The file that tensors of storage File lie in, mapped.
struct ProgramFile {
  std::string_view bytes;
  std::shared_ptr<const void> owner;
};

/// One function, ready to run any number of times on any number of threads.
class PlanExecutor {
public:
  /// Resolves every kernel and compiles the bodies whose threadgroup shape the
  /// plan fixes. `plan` must be verified.
  static Result<std::unique_ptr<PlanExecutor>>
  create(plan::Plan plan, std::shared_ptr<CpuDevice> device,
         const KernelResolver &resolve, ProgramFile file = {});

  const plan::Plan &plan() const { return thePlan; }
  /// The kernels of its dispatches, each once.
  std::vector<const KernelInfo *> kernels() const;
  /// Inputs, states and results in declared order; results own their memory,
  /// states are written in place.
  Result<std::vector<Tensor>> run(const std::vector<Tensor> &inputs,
                                  const std::vector<Tensor> &states = {});

private:
  friend class PlanRun;
  PlanExecutor(plan::Plan plan, std::shared_ptr<CpuDevice> device,
               ProgramFile file)
      : thePlan(std::move(plan)), device(std::move(device)),
        file(std::move(file)) {}
  /// What is known of a step before it runs.
  struct PreparedStep {
    CpuKernel *kernel = nullptr; ///< Of a dispatch.
    /// Numbers of the inputs that the kernel writes.
    std::vector<size_t> writtenInputs;
    /// Tensors (those with bytes of their own) that no later step uses.
    std::vector<plan::TensorId> dead;
  };
  using UseCounts = std::map<plan::TensorId, size_t>;

  /// Plan::blocks, then the plan's own steps.
  size_t blockCount() const { return thePlan.blocks.size() + 1; }
  size_t mainBlock() const { return thePlan.blocks.size(); }
  const std::vector<plan::Step> &stepsOf(size_t block) const {
    return block == mainBlock() ? thePlan.steps : thePlan.blocks[block];
  }
  Status resolveKernels(const KernelResolver &resolve);
  Status compileBodies();
  Status placeConstants();
  void findLastUses();
  UseCounts usesOf(const plan::Step &step) const;
  UseCounts findLastUses(size_t block, const UseCounts &all);

  plan::Plan thePlan;
  std::shared_ptr<CpuDevice> device;
  ProgramFile file;
  std::vector<std::vector<PreparedStep>> prepared; ///< By block and step.
  Block constants; ///< Plan::constants, aligned.
  BlockPool blocks;
};

/// The tensor at the end of a chain of aliases.
plan::TensorId baseTensor(const plan::Plan &plan, plan::TensorId id);

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_EXECUTOR_PLANEXECUTOR_H
