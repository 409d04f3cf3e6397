//===- FakeKernels.cpp - A kernel library written by hand -----------------===//
//
// What code generation makes of Metal, as C++: the runtime's tests load it as
// they load compiled kernels.
//
//===----------------------------------------------------------------------===//
#include "bessemer/abi/launch.h"

#include <algorithm>
#include <iterator>

namespace {
/// Calls `body(x)` for every thread of the one-dimensional groups
/// [first, last).
template <typename Body>
void forEachThread(const bsm_launch &launch, uint64_t first, uint64_t last,
                   Body body) {
  uint64_t size = launch.threads_per_threadgroup[0];
  uint64_t end = std::min<uint64_t>(last * size, launch.threads_per_grid[0]);
  for (uint64_t x = first * size; x < end; ++x)
    body(x);
}

template <typename T> T *buffer(const bsm_launch &launch, unsigned index) {
  return static_cast<T *>(launch.buffers[index].address);
}

/// y[i] = a * x[i] + y[i]: buffers x, y, a.
int32_t saxpy(const bsm_launch *launch, bsm_worker *, uint64_t first,
              uint64_t last) {
  const float *x = buffer<float>(*launch, 0);
  float *y = buffer<float>(*launch, 1), a = *buffer<float>(*launch, 2);
  forEachThread(*launch, first, last, [&](uint64_t i) { y[i] += a * x[i]; });
  return BSM_RUN_DONE;
}

/// Reads through a null pointer in threadgroup 3.
int32_t crash(const bsm_launch *launch, bsm_worker *, uint64_t first,
              uint64_t last) {
  int *volatile nowhere = nullptr;
  if (first <= 3 && 3 < last)
    *buffer<int>(*launch, 0) = *nowhere;
  return BSM_RUN_DONE;
}

/// Divides element 1 of buffer 0 by element 0.
int32_t divide(const bsm_launch *launch, bsm_worker *, uint64_t, uint64_t) {
  volatile int *value = buffer<int>(*launch, 0);
  value[0] = value[1] / value[0];
  return BSM_RUN_DONE;
}

/// Reads element (7, 1) of a tensor as checked code does.
int32_t subscript(const bsm_launch *launch, bsm_worker *, uint64_t, uint64_t) {
  auto *tensor = buffer<bsm_tensor>(*launch, 0);
  if (tensor->extents[0] > 7)
    return BSM_RUN_DONE;
  launch->services->index_fault(launch->dispatch, tensor, 0, 7, 12);
  return BSM_RUN_FAULT;
}

/// Reads element (7 + group, 1) of a tensor, in the first groups only after a
/// while.
int32_t lateSubscript(const bsm_launch *launch, bsm_worker *, uint64_t first,
                      uint64_t) {
  for (volatile uint64_t i = 0; i < (first ? 0 : 10000000); i = i + 1)
    ;
  launch->services->index_fault(launch->dispatch,
                                buffer<bsm_tensor>(*launch, 0), 0,
                                7 + int64_t(first), 12);
  return BSM_RUN_FAULT;
}

/// out[group] = sum over the group's threads through threadgroup memory.
int32_t groupSum(const bsm_launch *launch, bsm_worker *worker, uint64_t first,
                 uint64_t last) {
  const float *x = buffer<float>(*launch, 0);
  float *out = buffer<float>(*launch, 1);
  auto *scratch = reinterpret_cast<float *>(
      static_cast<char *>(worker->threadgroup_memory) +
      launch->threadgroup_offset[0]);
  uint64_t size = launch->threads_per_threadgroup[0];
  for (uint64_t group = first; group < last; ++group) {
    for (uint64_t i = 0; i < size; ++i)
      scratch[i] = x[group * size + i];
    out[group] = 0;
    for (uint64_t i = 0; i < size; ++i)
      out[group] += scratch[i];
  }
  return BSM_RUN_DONE;
}

/// A denormal halved: zero where denormals are flushed.
int32_t denormal(const bsm_launch *launch, bsm_worker *, uint64_t first,
                 uint64_t last) {
  volatile float *out = buffer<float>(*launch, 0);
  volatile float tiny = 1e-40f;
  for (uint64_t group = first; group < last; ++group)
    out[group] = tiny * 0.5f;
  return BSM_RUN_DONE;
}

/// Never ends by itself: every group waits a little.
int32_t slow(const bsm_launch *, bsm_worker *, uint64_t first, uint64_t last) {
  for (volatile uint64_t i = 0; i < (last - first) * 100000; i = i + 1)
    ;
  return BSM_RUN_DONE;
}

/// Never ends: every thread waits for another one.
int32_t forever(const bsm_launch *, bsm_worker *, uint64_t, uint64_t) {
  for (volatile bool done = false; !done;)
    ;
  return BSM_RUN_DONE;
}

/// Crashes in threadgroup 3, which the others wait for.
int32_t crashOrWait(const bsm_launch *launch, bsm_worker *worker,
                    uint64_t first, uint64_t last) {
  bool hasCrash = first <= 3 && 3 < last;
  return (hasCrash ? crash : forever)(launch, worker, first, last);
}

const bsm_kernel kernels[] = {
    {"saxpy", saxpy, {0, 0, 0}, 0, 0},
    {"crash", crash, {0, 0, 0}, 0, 0},
    {"divide", divide, {0, 0, 0}, 0, 0},
    {"subscript", subscript, {0, 0, 0}, 0, 0},
    {"late_subscript", lateSubscript, {0, 0, 0}, 0, 0},
    {"group_sum", groupSum, {0, 0, 0}, 64, 256},
    {"denormal", denormal, {0, 0, 0}, 0, 0},
    {"slow", slow, {0, 0, 0}, 0, 0},
    {"forever", forever, {0, 0, 0}, 0, 0},
    {"crash_or_wait", crashOrWait, {0, 0, 0}, 0, 0},
};
} // namespace

// Under C++ the type has the name, so the symbol gets it through a label.
__attribute__((visibility("default"))) extern const bsm_library
    library asm("bsm_library");
const bsm_library library{BSM_LIBRARY_MAGIC, BSM_LAUNCH_VERSION,
                          std::size(kernels), 0, kernels};
