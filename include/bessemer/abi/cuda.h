/*===- cuda.h - Launch ABI of kernels on NVIDIA GPUs ----------------------===*\
|*                                                                            *|
|* A kernel's entry takes one parameter for each argument that is not         *|
|* threadgroup memory, in the order of the reflection and in the form that    *|
|* cudaParameters (lib/support/CudaEntry.h) gives, then a bsm_cuda_launch by  *|
|* value. Dynamic threadgroup memory is one block of dynamic shared memory.   *|
|* Blocks have the shape of a threadgroup; the threads of a block that a      *|
|* smaller edge group does not have return at once.                           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef BESSEMER_ABI_CUDA_H
#define BESSEMER_ABI_CUDA_H

#include "bessemer/abi/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first tensor subscript out of its extent, in device memory, zeroed
 * before a launch. The thread that finds it ends. */
typedef struct bsm_cuda_fault {
  uint32_t claimed; /* 1 once a thread has filled in the rest */
  uint32_t argument;
  uint32_t dimension;
  uint32_t line;
  int64_t index;
} bsm_cuda_fault;

typedef struct bsm_cuda_launch {
  uint32_t threads_per_grid[3];
  uint32_t threadgroups_per_grid[3];
  uint32_t threads_per_threadgroup[3];
  uint32_t first_group[3]; /* of this launch: a grid may take several */
  uint32_t threadgroup_offset[BSM_MAX_BUFFERS]; /* in dynamic shared memory */
  uint32_t reserved;
  uint64_t fault; /* device address of a bsm_cuda_fault */
} bsm_cuda_launch;

#ifdef __cplusplus
}
#endif

#endif /* BESSEMER_ABI_CUDA_H */
