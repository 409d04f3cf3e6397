//===- model.h - Loading and running assets ---------------------*- C++ -*-===//
#ifndef BESSEMER_MODEL_H
#define BESSEMER_MODEL_H

#include "bessemer/kernel.h"
#include "bessemer/program.h"

#include <filesystem>
#include <optional>

namespace bessemer {

struct TensorDescriptor {
  std::string name;
  DType dtype = DType::Invalid;
  std::vector<int64_t> shape; ///< -1 = dynamic.
  /// As text: "16", "rows", "2*rows + 1"; "?" if the model has no name for it.
  std::vector<std::string> extents;
};

/// A size that dynamic extents of a function's inputs are made of.
struct ModelDimension {
  std::string name;
  int64_t min = 0;
  std::optional<int64_t> max;
};

/// What a function takes and gives; known before anything is compiled.
struct FunctionSignature {
  std::string name;
  /// States are mutable buffers that a run reads and writes.
  std::vector<TensorDescriptor> inputs, outputs, states;
  std::vector<ModelDimension> dimensions;
};

/// One entry point of a model. Keeps what it needs of the model alive.
class BESSEMER_API Function {
public:
  const std::string &name() const;
  const std::vector<TensorDescriptor> &inputs() const;
  const std::vector<TensorDescriptor> &outputs() const;
  /// Mutable buffers that a run reads and writes.
  const std::vector<TensorDescriptor> &states() const;
  /// The kernels it dispatches, each once: the user's and generated ones.
  std::vector<KernelInfo> kernels() const;
  /// `inputs` and `states` in declared order; states are written in place.
  /// Results in declared order, owning memory.
  Result<std::vector<Tensor>> run(const std::vector<Tensor> &inputs,
                                  const std::vector<Tensor> &states = {}) const;

  struct Impl;
  explicit Function(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}

private:
  std::shared_ptr<Impl> impl;
};

/// A loaded .aimodel.
class BESSEMER_API Model {
public:
  static Result<Model> load(const std::filesystem::path &asset,
                            const Device &device);
  const AssetMetadata &metadata() const;
  std::vector<std::string> functionNames() const;
  const std::vector<FunctionSignature> &functions() const;
  /// Compiles what the function needs (from the cache where possible).
  Result<Function> function(std::string_view name) const;

  struct Impl;
  explicit Model(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}

private:
  std::shared_ptr<Impl> impl;
};

} // namespace bessemer

#endif // BESSEMER_MODEL_H
