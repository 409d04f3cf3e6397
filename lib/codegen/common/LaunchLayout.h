//===- LaunchLayout.h - abi/launch.h as byte offsets ------------*- C++ -*-===//
//
// Generated code reads the launch structures through these offsets. Kernels
// are compiled for 64-bit targets only; the assertions hold the C layout to
// what is written here on every host that builds the compiler.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_COMMON_LAUNCHLAYOUT_H
#define BESSEMER_CODEGEN_COMMON_LAUNCHLAYOUT_H

#include "bessemer/abi/launch.h"

#include <cstddef>

namespace bessemer::codegen::layout {

constexpr unsigned slotSize = 16;
static_assert(sizeof(bsm_slot) == slotSize && offsetof(bsm_slot, address) == 0);

constexpr unsigned launchBuffers = 8;
static_assert(offsetof(bsm_launch, buffers) == launchBuffers);
/// Address of the argument in buffer slot `index`.
constexpr unsigned bufferAddress(unsigned index) {
  return launchBuffers + index * slotSize;
}

/// Its size.
static_assert(offsetof(bsm_slot, bytes) == 8);
constexpr unsigned bufferBytes(unsigned index) {
  return bufferAddress(index) + 8;
}

constexpr unsigned threadsPerGrid = launchBuffers + BSM_MAX_BUFFERS * slotSize;
constexpr unsigned threadgroupsPerGrid = threadsPerGrid + 12;
constexpr unsigned threadsPerThreadgroup = threadgroupsPerGrid + 12;
constexpr unsigned threadgroupOffsets = threadsPerThreadgroup + 12;
static_assert(offsetof(bsm_launch, threads_per_grid) == threadsPerGrid);
static_assert(offsetof(bsm_launch, threadgroups_per_grid) ==
              threadgroupsPerGrid);
static_assert(offsetof(bsm_launch, threads_per_threadgroup) ==
              threadsPerThreadgroup);
static_assert(offsetof(bsm_launch, threadgroup_offset) == threadgroupOffsets);
/// Offset of [[threadgroup(index)]] in the group's block.
constexpr unsigned threadgroupOffset(unsigned index) {
  return threadgroupOffsets + index * 4;
}

/// Behind `threadgroup_bytes` and the padding of a pointer.
constexpr unsigned services = threadgroupOffsets + BSM_MAX_BUFFERS * 4 + 8;
constexpr unsigned dispatch = services + 8;
constexpr unsigned launchSize = dispatch + 8;
static_assert(offsetof(bsm_launch, services) == services);
static_assert(offsetof(bsm_launch, dispatch) == dispatch);
static_assert(sizeof(bsm_launch) == launchSize);

constexpr unsigned indexFault = 0;
static_assert(offsetof(bsm_services, index_fault) == indexFault);

constexpr unsigned workerThreadgroupMemory = 0;
constexpr unsigned workerContext = 8;
static_assert(offsetof(bsm_worker, threadgroup_memory) ==
              workerThreadgroupMemory);
static_assert(offsetof(bsm_worker, context) == workerContext);

static_assert(sizeof(bsm_kernel) == 40 &&
              offsetof(bsm_kernel, threadgroup_bytes) == 28);
static_assert(sizeof(bsm_library) == 24 &&
              offsetof(bsm_library, kernels) == 16);

} // namespace bessemer::codegen::layout

#endif // BESSEMER_CODEGEN_COMMON_LAUNCHLAYOUT_H
