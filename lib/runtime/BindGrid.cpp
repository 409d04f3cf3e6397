//===- BindGrid.cpp - Grid and threadgroup sizes of a dispatch ------------===//
#include "runtime/Binding.h"

#include <algorithm>

using namespace bessemer;
using namespace bessemer::runtime;

static std::string text(const Dim3 &size) {
  return "(" + std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " +
         std::to_string(size[2]) + ")";
}

static Error invalid(const KernelInfo &kernel, const std::string &what) {
  return makeError(ErrorKind::InvalidArgument,
                   "kernel '" + kernel.name + "': " + what);
}

static Status checkGroupSize(const KernelInfo &kernel, const Dim3 &size) {
  if (std::find(size.begin(), size.end(), 0u) != size.end())
    return invalid(kernel, "group size " + text(size) +
                               " has a zero; every dimension is at least 1");
  // In 64 bits and dimension by dimension: the product may overflow.
  uint64_t limit = kernel.maxThreadsPerThreadgroup, threads = 1;
  for (uint32_t extent : size)
    if ((threads *= extent) > limit)
      return invalid(kernel, "group size " + text(size) + " exceeds " +
                                 std::to_string(limit) +
                                 " threads per threadgroup");
  return {};
}

Status runtime::bindGrid(const KernelInfo &kernel, const Dispatch &dispatch,
                         BoundDispatch &bound) {
  if (dispatch.threads.has_value() == dispatch.groups.has_value())
    return invalid(kernel, dispatch.threads
                               ? "both threads and groups are given; give one"
                               : "neither threads nor groups is given");
  if (Status status = checkGroupSize(kernel, dispatch.groupSize); !status)
    return status;
  uint64_t groupCount = 1;
  for (unsigned i = 0; i < 3; ++i) {
    uint64_t size = dispatch.groupSize[i];
    uint64_t threads = dispatch.threads ? (*dispatch.threads)[i]
                                        : (*dispatch.groups)[i] * size;
    uint64_t groups = (threads + size - 1) / size;
    if (threads > UINT32_MAX)
      return invalid(kernel, "groups " + text(*dispatch.groups) + " of size " +
                                 text(dispatch.groupSize) +
                                 " make more than 4294967295 threads in "
                                 "dimension " +
                                 std::to_string(i));
    bound.launch.threads_per_grid[i] = threads;
    bound.launch.threadgroups_per_grid[i] = groups;
    bound.launch.threads_per_threadgroup[i] = size;
    if (__builtin_mul_overflow(groupCount, groups, &groupCount))
      return invalid(kernel, "the grid has more than 2^64 threadgroups");
  }
  bound.groupCount = groupCount;
  return {};
}
