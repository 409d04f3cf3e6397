//===- ModelImpl.h - A loaded asset -----------------------------*- C++ -*-===//
#ifndef BESSEMER_API_MODELIMPL_H
#define BESSEMER_API_MODELIMPL_H

#include "api/LibraryImpl.h"
#include "asset/Asset.h"
#include "bessemer/model.h"
#include "runtime/executor/PlanExecutor.h"

#include <tuple>

namespace bessemer {

struct Function::Impl {
  FunctionSignature signature;
  /// The executor's kernels live in them.
  std::vector<std::shared_ptr<Library::Impl>> libraries;
  std::unique_ptr<runtime::PlanExecutor> executor; ///< Destroyed first.
};

struct Model::Impl {
  asset::Asset asset;
  std::shared_ptr<runtime::CpuDevice> device;
  std::vector<FunctionSignature> functions;

  Status readFunctions();
  Result<std::shared_ptr<Function::Impl>>
  makeFunction(const FunctionSignature &signature);

private:
  /// A text or file that the compiler half makes of the bytecode, through the
  /// cache. `what` names it in the key.
  template <typename Make>
  Result<std::string> derived(std::string_view what, Make make);
  Result<std::shared_ptr<Library::Impl>>
  library(const plan::KernelSource &source);

  std::mutex mutex; ///< Guards `libraries`.
  using SourceKey = std::tuple<std::string, std::string, uint8_t>;
  /// Each distinct source is compiled once; functions keep them alive.
  std::map<SourceKey, std::weak_ptr<Library::Impl>> libraries;

  friend class Model;
  std::mutex functionMutex; ///< Guards `loaded`; held while one is made.
  std::map<std::string, std::weak_ptr<Function::Impl>, std::less<>> loaded;
};

} // namespace bessemer

#endif // BESSEMER_API_MODELIMPL_H
