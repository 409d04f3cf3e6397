//===- PlanRun.h - One execution of a function ------------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_EXECUTOR_PLANRUN_H
#define BESSEMER_RUNTIME_EXECUTOR_PLANRUN_H

#include "bessemer/kernel.h"
#include "runtime/Interrupt.h"
#include "runtime/executor/PlanExecutor.h"
#include "runtime/gemm/Gemm.h"

namespace bessemer::runtime {

/// Registers and memory of one run.
class PlanRun {
public:
  explicit PlanRun(PlanExecutor &executor);
  Result<std::vector<Tensor>> run(const std::vector<Tensor> &inputs,
                                  const std::vector<Tensor> &states);

private:
  Status runBlock(size_t number);
  // Control.cpp
  Result<bool> isTrue(plan::TensorId condition);
  Status step(const plan::IfStep &step);
  Status step(const plan::WhileStep &step);
  // Inputs.cpp
  Status bindInputs(const std::vector<Tensor> &given);
  Status checkCount(const char *what, const std::vector<plan::Port> &ports,
                    size_t given) const;
  Status checkPort(const char *what, const plan::Port &port,
                   const Tensor &tensor) const;
  Status bindStates(const std::vector<Tensor> &given);
  void writeBackStates(const std::vector<Tensor> &given);
  bool overlapsState(const Tensor &tensor) const;
  Result<Tensor> usableInput(const Tensor &tensor);
  // Outputs.cpp
  Result<std::vector<Tensor>> takeOutputs();
  Result<Tensor> takeOutput(size_t number);
  // Storage.cpp
  /// The tensor as a view; its memory is allocated on the first use.
  Result<Tensor> tensor(plan::TensorId id);
  Result<Tensor> shapeOf(plan::TensorId id) const;
  Result<std::byte *> storageOf(plan::TensorId id);
  void release(const std::vector<plan::TensorId> &dead);
  // Scalars.cpp
  Status step(const plan::ScalarStep &step);
  Status step(const plan::RequireStep &step);
  Result<int64_t> readElement(const plan::ScalarStep &step);
  // Kernels.cpp
  Status step(const plan::DispatchStep &step);
  Result<KernelArgument> argument(const plan::KernelArg &argument);
  Status clearResults(const plan::DispatchStep &step);
  Status copyWritten(std::vector<KernelArgument> &arguments,
                     std::vector<Block> &copies);
  Result<Dim3> size(const std::array<plan::Reg, 3> &registers,
                    std::string_view kernel) const;
  // Convolution.cpp
  Status step(const plan::ConvolutionStep &step);
  // Products.cpp
  Status step(const plan::GemmStep &step);
  Status step(const plan::CopyStep &step);

  Error fail(ErrorKind kind, const std::string &what) const;

  PlanExecutor &executor;
  const plan::Plan &plan;
  const PlanExecutor::PreparedStep *current = nullptr; ///< The step that runs.
  std::vector<int64_t> registers;
  std::vector<Tensor> inputs, states;
  std::vector<Block> blocks; ///< By tensor.
  InterruptPoll interrupt;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_EXECUTOR_PLANRUN_H
