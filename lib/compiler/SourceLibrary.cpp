//===- SourceLibrary.cpp - MSL to kernel IR to machine code ---------------===//
#include "compiler/SourceLibrary.h"

#include "codegen/cpu/Compile.h"
#include "codegen/interp/Interpreter.h"
#include "compiler/Guard.h"
#include "compiler/Text.h"
#include "support/Cancellation.h"

using namespace bessemer;
using namespace bessemer::compiler;

static CompileOptions optionsFrom(const bsm_compile_options &raw) {
  CompileOptions options;
  options.fileName = view(raw.file_name);
  options.firstLine = raw.first_line;
  options.math = static_cast<MathMode>(raw.math);
  options.language = view(raw.language);
  for (size_t i = 0; i < raw.include_dir_count; ++i)
    options.includeDirs.emplace_back(view(raw.include_dirs[i]));
  for (size_t i = 0; i < raw.define_count; ++i)
    options.defines.emplace_back(view(raw.defines[i].name),
                                 view(raw.defines[i].value));
  for (size_t i = 0; i < raw.constant_count; ++i)
    options.functionConstants[raw.constants[i].index] = raw.constants[i].bits;
  return options;
}

static GuardedSource described(const bsm_ir_library &library) {
  return {library.options.fileName, library.source};
}

bsm_status
compiler::compileSource(bsm_text source, const bsm_compile_options *options,
                        bsm_ir_library **library, bsm_string *reflection,
                        bsm_string *diagnostics, bsm_string *message) {
  auto owned = std::make_unique<bsm_ir_library>();
  owned->source = view(source);
  owned->options = optionsFrom(*options);
  std::vector<Diagnostic> messages;
  Status status = guarded("compiling " + owned->options.fileName,
                          described(*owned), owned->isBroken, [&]() -> Status {
                            Result<msl::CompiledSource> result =
                                msl::compile(owned->source, owned->options,
                                             owned->context, messages);
                            if (!result)
                              return result.error();
                            owned->compiled = std::move(*result);
                            return {};
                          });
  *diagnostics = copy(toJson(messages));
  if (owned->isBroken)
    (void)owned.release(); // NOLINT(bugprone-unused-return-value): leaked
  if (!status)
    return fail(status.error(), message);
  *reflection = copy(toJson(owned->compiled.reflection));
  *library = owned.release();
  return 0;
}

void compiler::releaseLibrary(bsm_ir_library *library) {
  if (!library->isBroken)
    delete library;
}

/// The kernel's reflection, or an Error that names what there is.
static Result<const KernelInfo *> findKernel(const bsm_ir_library &library,
                                             bsm_text kernel) {
  std::string_view name = view(kernel);
  const Reflection &reflection = library.compiled.reflection;
  if (const KernelInfo *info = reflection.find(name))
    return info;
  std::string known;
  for (const KernelInfo &info : reflection.kernels)
    known += (known.empty() ? "" : ", ") + info.name;
  return makeError(ErrorKind::NotFound,
                   "no kernel named '" + std::string(name) +
                       "'; there is: " + (known.empty() ? "none" : known));
}

/// What has the code of `kernel`: the whole source, or if that has too many
/// kernels, this one alone.
static Result<const msl::CompiledSource *> codeOf(bsm_ir_library &library,
                                                  const KernelInfo &kernel) {
  if (library.compiled.module)
    return &library.compiled;
  msl::CompiledSource &single = library.single;
  if (!single.module || !single.module->getFunction(kernel.symbol)) {
    std::vector<Diagnostic> messages;
    Result<msl::CompiledSource> result = msl::compileKernel(
        *library.compiled.parsed, kernel.name, library.context, messages);
    if (!result)
      return result.error();
    if (isCancelled()) // Then the code is not complete.
      return makeError(ErrorKind::Interrupted, "interrupted");
    single = std::move(*result);
  }
  return &single;
}

Status compiler::withKernel(bsm_ir_library &library, bsm_text name,
                            std::string_view doing, KernelWork work) {
  std::lock_guard lock(library.mutex);
  Result<const KernelInfo *> kernel = findKernel(library, name);
  if (!kernel)
    return kernel.error();
  if (library.isBroken)
    return makeError(ErrorKind::Internal,
                     "the compiler failed on this source before");
  return guarded(std::string(doing) + " kernel " + (*kernel)->name,
                 described(library), library.isBroken, [&]() -> Status {
                   Result<const msl::CompiledSource *> code =
                       codeOf(library, **kernel);
                   if (!code)
                     return code.error();
                   const KernelInfo *info =
                       (*code)->reflection.find((*kernel)->name);
                   return work(*(*code)->module, *info);
                 });
}

codegen::cpu::Options compiler::cpuOptions(const bsm_cpu_options &raw) {
  codegen::cpu::Options options;
  options.group = {raw.group[0], raw.group[1], raw.group[2]};
  options.completeGroups = raw.complete_groups;
  return options;
}

bsm_status compiler::generateCpu(bsm_ir_library *library, bsm_text kernel,
                                 const bsm_cpu_options *options,
                                 bsm_string *object, bsm_string *message) {
  Status status = withKernel(
      *library, kernel, "generating code for",
      [&](const llvm::Module &module, const KernelInfo &info) -> Status {
        if (Status constants = msl::checkConstants(module, info); !constants)
          return constants;
        Result<std::string> code =
            codegen::cpu::compileKernel(module, info, cpuOptions(*options));
        if (!code)
          return code.error();
        *object = copy(*code);
        return {};
      });
  return finish(status, message);
}

bsm_status compiler::interpret(bsm_ir_library *library, bsm_text kernel,
                               const void *launch, bsm_string *message) {
  const auto &bound = *static_cast<const bsm_launch *>(launch);
  codegen::interp::Options options;
  options.threadgroupBytes = bound.threadgroup_bytes;
  Status status = withKernel(
      *library, kernel, "interpreting",
      [&](const llvm::Module &module, const KernelInfo &info) {
        Status constants = msl::checkConstants(module, info);
        return constants ? codegen::interp::run(module, info, bound, options)
                         : constants;
      });
  return finish(status, message);
}
