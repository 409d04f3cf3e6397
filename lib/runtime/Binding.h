//===- Binding.h - Arguments checked and laid out for a launch --*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_BINDING_H
#define BESSEMER_RUNTIME_BINDING_H

#include "bessemer/abi/launch.h"
#include "bessemer/kernel.h"

#include <memory>

namespace bessemer::runtime {

/// A checked dispatch. `launch` points into the other members.
struct BoundDispatch {
  bsm_launch launch{};
  uint64_t groupCount = 0; ///< 0: an empty grid, nothing to run.
  /// Bytes of [[threadgroup(n)]]; 0 = not an argument.
  std::array<uint32_t, BSM_MAX_BUFFERS> threadgroupBytes{};
  std::vector<bsm_tensor> descriptors;
  std::unique_ptr<std::byte[]> inlineBytes;
  /// Instead of the message for a subscript out of range, if not empty:
  /// {index}, {extent} and {axis} (outermost first) are replaced.
  std::string indexMessage;
};

struct BindingOptions {
  /// Pointers to tensors that are not dense (a plan's kernels know strides).
  bool stridedBuffers = false;
};

/// Checks `dispatch` against the kernel's reflection. Errors name the kernel,
/// the argument and what was expected.
Result<BoundDispatch> bind(const KernelInfo &kernel, const Dispatch &dispatch,
                           const BindingOptions &options = {});

/// The grid part of it: sizes, limits, overflow.
Status bindGrid(const KernelInfo &kernel, const Dispatch &dispatch,
                BoundDispatch &bound);

/// Bytes from the first to behind the last element that a view reaches; an
/// Error phrase if a stride is negative or the size overflows.
Result<uint64_t> spanBytes(const Tensor &tensor);

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_BINDING_H
