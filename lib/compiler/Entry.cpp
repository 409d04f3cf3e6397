//===- Entry.cpp - The one function that the compiler half exports --------===//
#include "bessemer/abi/compiler.h"

#include "compiler/ProgramHandle.h"
#include "compiler/SourceLibrary.h"
#include "compiler/Text.h"
#include "msl/CompilerThread.h"
#include "support/BuildId.h"

#include <cstdlib>

using namespace bessemer;
using namespace bessemer::compiler;

static void freeString(bsm_string string) { std::free(string.data); }

static bsm_compiler_api makeTable() {
  bsm_compiler_api api{};
  api.abi = BSM_COMPILER_ABI;
  api.build_id = text(buildId());
  api.free_string = freeString;
  api.set_interrupt_check = msl::setCompilerInterruptCheck;
  api.compile_source = compileSource;
  api.release_library = releaseLibrary;
  api.generate_cpu = generateCpu;
  api.generate_nvidia = generateNvidia;
  api.emit = emit;
  api.interpret = interpret;
  addProgramBuilding(api);
  addProgramConversion(api);
  return api;
}

extern "C" __attribute__((visibility("default"))) const bsm_compiler_api *
bsm_compiler_entry(void) {
  static const bsm_compiler_api table = makeTable();
  return &table;
}
