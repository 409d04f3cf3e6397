//===- EachCpu.h - Functions compiled for several CPUs ----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_GEMM_EACHCPU_H
#define BESSEMER_RUNTIME_GEMM_EACHCPU_H

/// Before a function: it is compiled for several generations of CPUs and the
/// best one for this machine is taken when the library is loaded.
#if defined(__x86_64__)
#define BSM_EACH_CPU                                                           \
  __attribute__((                                                              \
      target_clones("default", "arch=haswell", "arch=skylake-avx512")))
#else
#define BSM_EACH_CPU
#endif

#endif // BESSEMER_RUNTIME_GEMM_EACHCPU_H
