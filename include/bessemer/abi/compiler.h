/*===- compiler.h - C entry of the compiler half --------------------------===*\
|*                                                                            *|
|* libbessemer-compiler exports one function, bsm_compiler_entry, that returns*|
|* this table. libbessemer loads it by a path relative to itself. No C++      *|
|* object, exception or allocation crosses it: text goes out through          *|
|* bsm_string, which the caller frees with free_string.                       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef BESSEMER_ABI_COMPILER_H
#define BESSEMER_ABI_COMPILER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bsm_string {
  char *data; /* may hold zeros */
  size_t size;
} bsm_string;

typedef struct bsm_text {
  const char *data;
  size_t size;
} bsm_text;

/* Status: 0, or 1 + the enumerator of bessemer::ErrorKind. On failure *message
 * holds the error text. */
typedef int32_t bsm_status;

typedef struct bsm_define {
  bsm_text name, value;
} bsm_define;

typedef struct bsm_constant {
  uint32_t index;
  uint64_t bits;
} bsm_constant;

typedef struct bsm_compile_options {
  bsm_text file_name;
  uint32_t first_line;
  uint32_t math; /* bessemer::MathMode */
  bsm_text language;
  const bsm_text *include_dirs;
  size_t include_dir_count;
  const bsm_define *defines;
  size_t define_count;
  const bsm_constant *constants;
  size_t constant_count;
} bsm_compile_options;

typedef struct bsm_cpu_options {
  uint32_t group[3];        /* {0,0,0}: the body for any shape */
  uint32_t complete_groups; /* 1: no group of the grid is cut */
} bsm_cpu_options;

typedef struct bsm_nvidia_options {
  uint32_t group[3];        /* {0,0,0}: any shape */
  uint32_t complete_groups; /* 1: no group of the grid is cut */
  bsm_text architecture;    /* "sm_90" */
  bsm_text form;            /* "ptx" or "llvm" */
} bsm_nvidia_options;

typedef struct bsm_ir_library bsm_ir_library; /* kernel IR of one source */
typedef struct bsm_ir_program bsm_ir_program; /* MLIR module and context */

typedef struct bsm_tensor_data {
  uint32_t dtype; /* bessemer::DType */
  uint32_t rank;
  const int64_t *shape;
  const void *data;
  size_t bytes;
} bsm_tensor_data;

typedef struct bsm_dimension_use {
  uint32_t input, axis;
  int64_t factor, offset; /* extent = factor * size + offset */
} bsm_dimension_use;

typedef struct bsm_dimension {
  bsm_text name;
  int64_t min, max; /* -1: no limit */
  const bsm_dimension_use *uses;
  size_t use_count;
} bsm_dimension;

typedef struct bsm_compiler_api {
  /* Both halves must mean the same by it. BSM_COMPILER_ABI is made of this
   * file by the build: whatever is changed here changes it. */
  uint64_t abi;
  bsm_text build_id;
  void (*free_string)(bsm_string);
  /* Asked every now and then, on the calling thread, while the compiler works:
   * 1 if the work is to end with an error of kind Interrupted. */
  void (*set_interrupt_check)(int32_t (*check)(void));

  /* MSL -> kernel IR. reflection and diagnostics are JSON. */
  bsm_status (*compile_source)(bsm_text source, const bsm_compile_options *,
                               bsm_ir_library **, bsm_string *reflection,
                               bsm_string *diagnostics, bsm_string *message);
  void (*release_library)(bsm_ir_library *);
  /* Kernel IR -> ELF shared object with one bsm_library, for the host CPU. */
  bsm_status (*generate_cpu)(bsm_ir_library *, bsm_text kernel,
                             const bsm_cpu_options *, bsm_string *object,
                             bsm_string *message);
  /* "ir", "llvm", "asm", "object": what `bessemer compile --emit` prints. */
  bsm_status (*emit)(bsm_ir_library *, bsm_text kernel, const bsm_cpu_options *,
                     bsm_text form, bsm_string *text, bsm_string *message);
  /* Reference interpreter: runs the whole grid on the calling thread. */
  bsm_status (*interpret)(bsm_ir_library *, bsm_text kernel, const void *launch,
                          bsm_string *message);

  /* Programs; see program.h for the meaning of each. */
  bsm_status (*program_create)(bsm_ir_program **, bsm_string *message);
  bsm_status (*program_parse)(bsm_text text, bsm_ir_program **,
                              bsm_string *message);
  /* Weights stay where they are: the bytes must not change or move until
   * program_release. */
  bsm_status (*program_from_bytecode)(bsm_text bytes, bsm_ir_program **,
                                      bsm_string *message);
  void (*program_release)(bsm_ir_program *);
  bsm_status (*program_add_graph)(bsm_ir_program *, bsm_text name,
                                  const bsm_text *names, const bsm_text *types,
                                  size_t count, void **block,
                                  bsm_string *message);
  void *(*program_input)(bsm_ir_program *, void *block, uint32_t index);
  bsm_status (*program_set_outputs)(bsm_ir_program *, void *block,
                                    void *const *values, const bsm_text *names,
                                    size_t count, bsm_string *message);
  bsm_status (*program_create_op)(bsm_ir_program *, void *block, bsm_text name,
                                  void *const *operands, size_t operand_count,
                                  const bsm_text *result_types,
                                  size_t result_count, bsm_text attributes,
                                  bsm_text location, uint32_t regions,
                                  void **operation, bsm_string *message);
  void *(*program_result)(bsm_ir_program *, void *operation, uint32_t index);
  void *(*program_region)(bsm_ir_program *, void *operation, uint32_t index);
  /* Appends an argument to a region's block. */
  bsm_status (*program_add_argument)(bsm_ir_program *, void *block,
                                     bsm_text type, void **value,
                                     bsm_string *message);
  /* What a graph's dynamic extents may be: see GraphDimension of program.h. */
  bsm_status (*program_set_dimensions)(bsm_ir_program *, bsm_text graph,
                                       const bsm_dimension *dimensions,
                                       size_t count, bsm_string *message);
  bsm_status (*program_type_of)(bsm_ir_program *, void *value, bsm_string *type,
                                bsm_string *message);
  bsm_status (*program_constant)(bsm_ir_program *, void *block,
                                 const bsm_tensor_data *, void **value,
                                 bsm_string *message);
  bsm_status (*program_lower_torch)(bsm_ir_program *, bsm_string *message);
  /* 1 if program_lower_torch knows the target. */
  int32_t (*has_torch_lowering)(bsm_text target);
  bsm_status (*program_verify)(bsm_ir_program *, bsm_string *message);
  bsm_status (*program_print)(bsm_ir_program *, bsm_string *text,
                              bsm_string *message);
  bsm_status (*program_bytecode)(bsm_ir_program *, bsm_string *bytes,
                                 bsm_string *message);
  /* A JSON list of {"name", "inputs": [{"name", "dtype", "shape": [-1],
   * "extents": ["n"]}], "outputs": [...], "states": [...], "dimensions":
   * [{"name", "min", "max"}]}; what is meant says FunctionSignature. */
  bsm_status (*program_functions)(bsm_ir_program *, bsm_string *json,
                                  bsm_string *message);
  /* JSON list of {"kernel", "message", "diagnostics"} for kernels that do not
   * compile. */
  bsm_status (*program_check_kernels)(bsm_ir_program *, bsm_string *json,
                                      bsm_string *message);
  /* The plan of one function (lib/plan), with the Metal source of every kernel
   * it dispatches inside. */
  bsm_status (*program_plan)(bsm_ir_program *, bsm_text function,
                             bsm_string *plan, bsm_string *message);

  /* Kernel IR -> PTX with the entry that abi/cuda.h describes. */
  bsm_status (*generate_nvidia)(bsm_ir_library *, bsm_text kernel,
                                const bsm_nvidia_options *, bsm_string *text,
                                bsm_string *message);
} bsm_compiler_api;

typedef const bsm_compiler_api *(*bsm_compiler_entry_fn)(void);

#ifdef __cplusplus
}
#endif

#endif /* BESSEMER_ABI_COMPILER_H */
