//===- ProgramImpl.h - A program in the compiler half -----------*- C++ -*-===//
#ifndef BESSEMER_API_PROGRAMIMPL_H
#define BESSEMER_API_PROGRAMIMPL_H

#include "bessemer/abi/compiler.h"
#include "bessemer/program.h"

struct bessemer::Program::Impl {
  Impl(const bsm_compiler_api &api, bsm_ir_program *handle)
      : api(api), handle(handle) {}
  ~Impl();
  Impl(const Impl &) = delete;
  Impl &operator=(const Impl &) = delete;

  const bsm_compiler_api &api;
  bsm_ir_program *const handle;
  std::shared_ptr<void> bytecode; ///< What `handle` was read from; may be null.
};

#endif // BESSEMER_API_PROGRAMIMPL_H
