//===- EmitForms.cpp - What `bessemer compile --emit` prints --------------===//
#include "compiler/Guard.h"
#include "compiler/SourceLibrary.h"
#include "compiler/Text.h"

#include "codegen/cpu/7_object/Target.h"
#include "codegen/cpu/Compile.h"
#include "codegen/nvidia/Compile.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace bessemer;
using namespace bessemer::compiler;

static std::string printModule(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

static Result<std::string> assembly(llvm::Module &module,
                                    llvm::TargetMachine &target) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, stream, nullptr,
                                 llvm::CodeGenFileType::AssemblyFile))
    return makeError(ErrorKind::Internal, "this target cannot print assembly");
  passes.run(module);
  return text.str().str();
}

static Result<std::string> emitForm(const llvm::Module &module,
                                    const KernelInfo &kernel,
                                    const codegen::cpu::Options &options,
                                    std::string_view form) {
  if (form == "ir")
    return printModule(module);
  if (Status constants = msl::checkConstants(module, kernel); !constants)
    return constants.error();
  if (form == "object")
    return codegen::cpu::compileKernel(module, kernel, options);
  if (form != "llvm" && form != "asm")
    return makeError(ErrorKind::InvalidArgument,
                     "cannot emit '" + std::string(form) +
                         "'; choose ir, llvm, asm or object");
  Result<std::unique_ptr<llvm::TargetMachine>> target =
      codegen::cpu::createTarget(options);
  if (!target)
    return target.error();
  std::unique_ptr<llvm::Module> clone = llvm::CloneModule(module);
  if (Status status =
          codegen::cpu::vectorise(*clone, kernel, options, **target);
      !status)
    return status.error();
  return form == "llvm" ? printModule(*clone) : assembly(*clone, **target);
}

static Result<std::string> emitNvidia(const llvm::Module &module,
                                      const KernelInfo &kernel,
                                      const codegen::nvidia::Options &options,
                                      std::string_view form) {
  if (form == "ir")
    return printModule(module);
  if (Status constants = msl::checkConstants(module, kernel); !constants)
    return constants.error();
  if (form == "ptx")
    return codegen::nvidia::compileKernel(module, kernel, options);
  if (form != "llvm")
    return makeError(ErrorKind::InvalidArgument,
                     "cannot emit '" + std::string(form) +
                         "' for an NVIDIA GPU; choose ir, llvm or ptx");
  Result<std::unique_ptr<llvm::TargetMachine>> target =
      codegen::nvidia::createTarget(options);
  if (!target)
    return target.error();
  std::unique_ptr<llvm::Module> clone = llvm::CloneModule(module);
  if (Status status = codegen::nvidia::lower(*clone, kernel, options, **target);
      !status)
    return status.error();
  return printModule(*clone);
}

bsm_status compiler::generateNvidia(bsm_ir_library *library, bsm_text kernel,
                                    const bsm_nvidia_options *raw,
                                    bsm_string *text, bsm_string *message) {
  codegen::nvidia::Options options;
  options.group = {raw->group[0], raw->group[1], raw->group[2]};
  options.completeGroups = raw->complete_groups;
  options.architecture = view(raw->architecture);
  Status status = withKernel(
      *library, kernel, "generating PTX for",
      [&](const llvm::Module &module, const KernelInfo &info) -> Status {
        Result<std::string> made =
            emitNvidia(module, info, options, view(raw->form));
        if (!made)
          return made.error();
        *text = copy(*made);
        return {};
      });
  return finish(status, message);
}

bsm_status compiler::emit(bsm_ir_library *library, bsm_text kernel,
                          const bsm_cpu_options *raw, bsm_text form,
                          bsm_string *text, bsm_string *message) {
  codegen::cpu::Options options = cpuOptions(*raw);
  Status status = withKernel(
      *library, kernel, "printing",
      [&](const llvm::Module &module, const KernelInfo &info) -> Status {
        Result<std::string> printed =
            emitForm(module, info, options, view(form));
        if (!printed)
          return printed.error();
        *text = copy(*printed);
        return {};
      });
  return finish(status, message);
}
