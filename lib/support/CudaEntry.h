//===- CudaEntry.h - The entry of a kernel on NVIDIA GPUs -------*- C++ -*-===//
//
// What code generation and the runtime must agree on beyond abi/cuda.h: the
// entry's name and how each argument is passed.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_SUPPORT_CUDAENTRY_H
#define BESSEMER_SUPPORT_CUDAENTRY_H

#include "bessemer/reflection.h"

namespace bessemer {

enum class CudaParameter : uint8_t {
  None,       ///< Threadgroup memory: an offset in the launch.
  Pointer,    ///< Device address.
  Value,      ///< The bytes of a `constant T &`.
  Descriptor, ///< A bsm_tensor whose address is a device address.
};

/// One for each of the kernel's arguments.
std::vector<CudaParameter> cudaParameters(const KernelInfo &kernel);

/// The kernel's name as PTX can spell it.
std::string cudaEntryName(std::string_view kernel);

} // namespace bessemer

#endif // BESSEMER_SUPPORT_CUDAENTRY_H
