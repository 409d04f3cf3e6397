//===- ProgramConversion.cpp - Lowering, printing, plans over the C ABI ---===//
#include "compiler/Guard.h"
#include "compiler/ProgramHandle.h"
#include "compiler/Text.h"
#include "convert/Convert.h"
#include "convert/torch/TorchToCoreAI.h"
#include "plan/Serialize.h"

#include "llvm/Support/JSON.h"

using namespace bessemer;
using namespace bessemer::compiler;

/// Runs `work` on the program, alone, on a compiler thread, guarded.
static bsm_status withProgram(bsm_ir_program *handle, std::string_view doing,
                              bsm_string *message,
                              llvm::function_ref<Status(IRProgram &)> work) {
  std::lock_guard lock(handle->mutex);
  if (handle->isBroken)
    return fail(makeError(ErrorKind::Internal,
                          "the compiler failed on this program before"),
                message);
  return finish(guarded(doing, {}, handle->isBroken,
                        [&] { return work(*handle->program); }),
                message);
}

static bsm_status lowerTorchOps(bsm_ir_program *handle, bsm_string *message) {
  return withProgram(handle, "lowering a program", message,
                     [](IRProgram &program) { return lowerTorch(program); });
}

static bsm_status verify(bsm_ir_program *handle, bsm_string *message) {
  return withProgram(handle, "verifying a program", message,
                     [](IRProgram &program) { return program.verify(); });
}

static bsm_status print(bsm_ir_program *handle, bsm_string *text,
                        bsm_string *message) {
  return withProgram(handle, "printing a program", message,
                     [&](IRProgram &program) -> Status {
                       *text = copy(program.print());
                       return {};
                     });
}

static bsm_status bytecode(bsm_ir_program *handle, bsm_string *bytes,
                           bsm_string *message) {
  return withProgram(handle, "writing a program", message,
                     [&](IRProgram &program) -> Status {
                       Result<std::string> written = program.bytecode();
                       if (!written)
                         return written.error();
                       *bytes = copy(*written);
                       return {};
                     });
}

static bsm_status functions(bsm_ir_program *handle, bsm_string *json,
                            bsm_string *message) {
  return withProgram(handle, "listing functions", message,
                     [&](IRProgram &program) -> Status {
                       *json = copy(program.functionsJson());
                       return {};
                     });
}

static std::string toJson(const std::vector<CompileFailure> &failures) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.array([&] {
    for (const CompileFailure &failure : failures)
      json.object([&] {
        json.attribute("message", llvm::json::fixUTF8(failure.error.message));
        json.attributeBegin("diagnostics");
        json.rawValue(bessemer::toJson(failure.diagnostics));
        json.attributeEnd();
      });
  });
  return text;
}

static bsm_status checkProgramKernels(bsm_ir_program *handle, bsm_string *json,
                                      bsm_string *message) {
  return withProgram(handle, "compiling a program's kernels", message,
                     [&](IRProgram &program) -> Status {
                       *json = copy(toJson(checkKernels(program)));
                       return {};
                     });
}

static bsm_status planFunction(bsm_ir_program *handle, bsm_text function,
                               bsm_string *bytes, bsm_string *message) {
  return withProgram(handle, "planning a function", message,
                     [&](IRProgram &program) -> Status {
                       Result<plan::Plan> plan =
                           buildPlan(program, view(function));
                       if (!plan)
                         return plan.error();
                       *bytes = copy(plan::serialize(*plan));
                       return {};
                     });
}

void compiler::addProgramConversion(bsm_compiler_api &api) {
  api.program_lower_torch = lowerTorchOps;
  api.has_torch_lowering = [](bsm_text target) -> int32_t {
    return hasTorchLowering(view(target));
  };
  api.program_verify = verify;
  api.program_print = print;
  api.program_bytecode = bytecode;
  api.program_functions = functions;
  api.program_check_kernels = checkProgramKernels;
  api.program_plan = planFunction;
}
