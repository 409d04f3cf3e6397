//===- SourceLibrary.h - Kernel IR behind a C handle ------------*- C++ -*-===//
#ifndef BESSEMER_COMPILER_SOURCELIBRARY_H
#define BESSEMER_COMPILER_SOURCELIBRARY_H

#include "bessemer/abi/compiler.h"
#include "codegen/cpu/Compile.h"
#include "msl/Compile.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <mutex>

/// One compiled source. An LLVMContext serves one thread at a time: every use
/// of the module holds `mutex`.
struct bsm_ir_library {
  std::mutex mutex;
  llvm::LLVMContext context;
  std::string source;
  bessemer::CompileOptions options;
  bessemer::msl::CompiledSource compiled; ///< Destroyed before its context.
  /// The last kernel that was compiled alone, from a source of many.
  bessemer::msl::CompiledSource single;
  bool isBroken = false; ///< A crash left it half changed; it is leaked.
};

namespace bessemer::compiler {

/// The C layout as code generation's.
codegen::cpu::Options cpuOptions(const bsm_cpu_options &raw);

using KernelWork =
    llvm::function_ref<Status(const llvm::Module &, const KernelInfo &)>;

/// Runs `work` on the kernel's IR, guarded, alone on the library's context. An
/// Error for an unknown name lists the known ones.
Status withKernel(bsm_ir_library &library, bsm_text name,
                  std::string_view doing, KernelWork work);

bsm_status compileSource(bsm_text source, const bsm_compile_options *options,
                         bsm_ir_library **library, bsm_string *reflection,
                         bsm_string *diagnostics, bsm_string *message);
void releaseLibrary(bsm_ir_library *library);
bsm_status generateCpu(bsm_ir_library *library, bsm_text kernel,
                       const bsm_cpu_options *options, bsm_string *object,
                       bsm_string *message);
bsm_status generateNvidia(bsm_ir_library *library, bsm_text kernel,
                          const bsm_nvidia_options *options, bsm_string *text,
                          bsm_string *message);
bsm_status emit(bsm_ir_library *library, bsm_text kernel,
                const bsm_cpu_options *options, bsm_text form, bsm_string *text,
                bsm_string *message);
bsm_status interpret(bsm_ir_library *library, bsm_text kernel,
                     const void *launch, bsm_string *message);

} // namespace bessemer::compiler

#endif // BESSEMER_COMPILER_SOURCELIBRARY_H
