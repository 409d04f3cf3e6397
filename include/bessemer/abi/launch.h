/*===- launch.h - Launch ABI between compiled kernels and the runtime -----===*\
|*                                                                            *|
|* C layout, shared by code generation (which emits loads from these structs) *|
|* and the runtime (which fills them in). Any change of a field bumps         *|
|* BSM_LAUNCH_VERSION. lib/codegen/common/LaunchLayout.h asserts the offsets. *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef BESSEMER_ABI_LAUNCH_H
#define BESSEMER_ABI_LAUNCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BSM_LAUNCH_VERSION 1u
#define BSM_MAX_BUFFERS 31u
#define BSM_MAX_RANK 8u

/* A buffer argument. A gap in the indices is a null slot. For an argument of
 * kind Tensor, `address` points at a bsm_tensor. */
typedef struct bsm_slot {
  void *address;
  uint64_t bytes;
} bsm_slot;

/* The descriptor behind a `tensor<device T, dextents<int, N>, tensor_handle>`.
 * Extents and strides are innermost first (the reverse of a torch shape). */
typedef struct bsm_tensor {
  void *address;
  uint64_t bytes;
  int64_t strides[BSM_MAX_RANK]; /* in elements */
  int32_t extents[BSM_MAX_RANK];
  uint32_t rank;
  uint32_t argument; /* index in the kernel's arguments, for messages */
} bsm_tensor;

/* What compiled code may call. The table is the only way out of it. */
typedef struct bsm_services {
  /* A tensor subscript out of its extent. Records the first one per dispatch;
   * the caller then leaves the kernel with BSM_RUN_FAULT. `line` is the line
   * in the user's source, 0 if unknown. Without a tensor: a trap. */
  void (*index_fault)(void *dispatch, const bsm_tensor *tensor,
                      uint32_t dimension, int64_t index, uint32_t line);
} bsm_services;

typedef struct bsm_launch {
  uint32_t version; /* BSM_LAUNCH_VERSION */
  uint32_t flags;   /* 0 */
  bsm_slot buffers[BSM_MAX_BUFFERS];
  uint32_t threads_per_grid[3];
  uint32_t threadgroups_per_grid[3];
  uint32_t threads_per_threadgroup[3]; /* as dispatched; edge groups are cut */
  uint32_t threadgroup_offset[BSM_MAX_BUFFERS]; /* of [[threadgroup(n)]] in the
                                                   group's block, bytes */
  uint32_t threadgroup_bytes;                   /* of the group's whole block */
  const bsm_services *services;
  void *dispatch; /* opaque, handed to services */
} bsm_launch;

/* Per worker thread. Both blocks are 64-byte aligned and uninitialised. */
typedef struct bsm_worker {
  void *threadgroup_memory; /* static block, then the dynamic ones */
  void *context;            /* bsm_kernel.context_bytes */
} bsm_worker;

#define BSM_RUN_DONE 0
#define BSM_RUN_FAULT 1

/* Runs threadgroups [first, last) of the linearised grid (x fastest), in order,
 * on the calling thread. */
typedef int32_t (*bsm_run_fn)(const bsm_launch *launch, bsm_worker *worker,
                              uint64_t first, uint64_t last);

/* One body of one kernel. group = {0,0,0}: any group shape up to 1024 threads.
 */
typedef struct bsm_kernel {
  const char *name;
  bsm_run_fn run;
  uint32_t group[3];
  uint32_t threadgroup_bytes; /* static part, multiple of 64 */
  uint64_t context_bytes;     /* per worker */
} bsm_kernel;

/* The exported symbol `bsm_library` of every compiled kernel library. */
#define BSM_LIBRARY_MAGIC 0x314d5342u /* "BSM1" */
typedef struct bsm_library {
  uint32_t magic;
  uint32_t launch_version;
  uint32_t kernel_count;
  uint32_t reserved;
  const bsm_kernel *kernels;
} bsm_library;

#ifdef __cplusplus
}
#endif

#endif /* BESSEMER_ABI_LAUNCH_H */
