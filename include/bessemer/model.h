//===- model.h - Loading and running assets ---------------------*- C++ -*-===//
#ifndef BESSEMER_MODEL_H
#define BESSEMER_MODEL_H

#include "bessemer/kernel.h"
#include "bessemer/program.h"

#include <filesystem>

namespace bessemer {

struct TensorDescriptor {
  std::string name;
  DType dtype = DType::Invalid;
  std::vector<int64_t> shape; ///< -1 = dynamic.
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
  /// Compiles what the function needs (from the cache where possible).
  Result<Function> function(std::string_view name) const;

  struct Impl;
  explicit Model(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}

private:
  std::shared_ptr<Impl> impl;
};

} // namespace bessemer

#endif // BESSEMER_MODEL_H
