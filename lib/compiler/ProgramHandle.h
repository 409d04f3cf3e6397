//===- ProgramHandle.h - What a bsm_ir_program is ---------------*- C++ -*-===//
#ifndef BESSEMER_COMPILER_PROGRAMHANDLE_H
#define BESSEMER_COMPILER_PROGRAMHANDLE_H

#include "bessemer/abi/compiler.h"
#include "ir/Program.h"

#include <mutex>

/// An MLIR context serves one thread at a time: every use holds `mutex`.
struct bsm_ir_program {
  std::mutex mutex;
  std::unique_ptr<bessemer::IRProgram> program;
  bool isBroken = false; ///< A crash left it half changed; it is leaked.
};

namespace bessemer::compiler {

/// The part of the table that builds programs, and the part that converts them.
void addProgramBuilding(bsm_compiler_api &api);
void addProgramConversion(bsm_compiler_api &api);

} // namespace bessemer::compiler

#endif // BESSEMER_COMPILER_PROGRAMHANDLE_H
