//===- kernel.h - Running one kernel ----------------------------*- C++ -*-===//
#ifndef BESSEMER_KERNEL_H
#define BESSEMER_KERNEL_H

#include "bessemer/compiler.h"
#include "bessemer/tensor.h"

#include <array>
#include <optional>
#include <variant>

namespace bessemer {

using Dim3 = std::array<uint32_t, 3>;

/// Where kernels run. "cpu" always exists.
class BESSEMER_API Device {
public:
  static std::vector<std::string> names();
  /// `threads` = 0: one per CPU this process may use.
  static Result<Device> get(std::string_view name, unsigned threads = 0);

  struct Impl;
  explicit Device(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  const std::shared_ptr<Impl> &handle() const { return impl; }

private:
  std::shared_ptr<Impl> impl;
};

/// Bytes copied into the launch, for `constant T &` and small `constant T *`.
struct InlineBytes {
  std::vector<std::byte> bytes;
};

/// One bound argument; monostate = a gap.
using KernelArgument = std::variant<std::monostate, Tensor, InlineBytes>;

struct Dispatch {
  /// Exactly one of the two: total threads (edge groups are cut) or groups.
  std::optional<Dim3> threads;
  std::optional<Dim3> groups;
  Dim3 groupSize{1, 1, 1};
  /// Bytes of [[threadgroup(n)]] by index.
  std::map<unsigned, uint32_t> threadgroupMemory;
  /// One per Argument of KernelInfo::arguments that is not threadgroup memory,
  /// in that order.
  std::vector<KernelArgument> arguments;
};

/// A kernel ready for one device. A cheap handle, thread-safe.
class BESSEMER_API Kernel {
public:
  static Result<Kernel> create(const Library &library, std::string_view name,
                               const Device &device);
  const KernelInfo &info() const;
  /// Runs to completion. Checks types, sizes, limits; a fault is an Error of
  /// kind Fault that names kernel and line.
  Status run(const Dispatch &dispatch) const;
  /// The same through the reference interpreter of the kernel IR: slow, on the
  /// calling thread; what `run` does must equal it.
  Status interpret(const Dispatch &dispatch) const;

  struct Impl;
  explicit Kernel(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}

private:
  std::shared_ptr<Impl> impl;
};

} // namespace bessemer

#endif // BESSEMER_KERNEL_H
