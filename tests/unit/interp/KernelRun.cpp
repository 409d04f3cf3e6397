//===- KernelRun.cpp - Runs IR text over buffers --------------------------===//
#include "KernelRun.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace bessemer;
using namespace bessemer::testing;

static const char prefix[] = R"(
target datalayout = "e-p:64:64"
declare i32 @bsm.thread_position_in_grid.x()
declare i32 @bsm.thread_index_in_threadgroup()
declare i32 @bsm.thread_index_in_simdgroup()
declare i32 @bsm.simdgroup_index_in_threadgroup()
declare i32 @bsm.threadgroup_position_in_grid.x()
declare void @bsm.threadgroup_barrier(i32)
declare void @bsm.check_index(i1, ptr addrspace(4), i32, i64)
)";

KernelRun::KernelRun(const std::string &ir, const std::string &name) {
  llvm::SMDiagnostic diagnostic;
  module = llvm::parseAssemblyString(prefix + ir, diagnostic, context);
  kernel.name = kernel.symbol = name;
  if (!module) {
    diagnostic.print(name.c_str(), llvm::errs());
    return;
  }
  unsigned buffers = 0, threadgroups = 0;
  for (const llvm::Argument &parameter : module->getFunction(name)->args()) {
    Argument argument;
    argument.name = parameter.getName().str();
    bool isThreadgroup = parameter.getType()->getPointerAddressSpace() == 3;
    argument.kind =
        isThreadgroup ? ArgumentKind::ThreadgroupMemory : ArgumentKind::Buffer;
    argument.index = isThreadgroup ? threadgroups++ : buffers++;
    kernel.arguments.push_back(argument);
  }
}

Status KernelRun::run(std::array<uint32_t, 3> threads,
                      std::array<uint32_t, 3> group) {
  if (!module)
    return makeError(ErrorKind::Internal, "the IR does not parse");
  launch.version = BSM_LAUNCH_VERSION;
  for (unsigned i = 0; i < 3; ++i) {
    launch.threads_per_grid[i] = threads[i];
    launch.threads_per_threadgroup[i] = group[i];
    launch.threadgroups_per_grid[i] = (threads[i] + group[i] - 1) / group[i];
  }
  return codegen::interp::run(*module, kernel, launch, options);
}

std::string testing::rowKernel(const std::string &type, unsigned columns,
                               const std::string &result,
                               const std::string &body,
                               const std::string &declarations) {
  std::string ir = declarations +
                   "\ndefine void @k(ptr addrspace(1) %in, ptr addrspace(1) "
                   "%out) {\nentry:\n"
                   "%i = call i32 @bsm.thread_position_in_grid.x()\n"
                   "%first = mul i32 %i, " +
                   std::to_string(columns) + "\n";
  for (unsigned c = 0; c < columns; ++c) {
    std::string n = std::to_string(c);
    ir += "%at" + n + " = add i32 %first, " + n + "\n%from" + n +
          " = getelementptr " + type + ", ptr addrspace(1) %in, i32 %at" + n +
          "\n%" + std::string(1, char('a' + c)) + " = load " + type +
          ", ptr addrspace(1) %from" + n + "\n";
  }
  return ir + body + "\n%to = getelementptr " + result +
         ", ptr addrspace(1) %out, i32 %i\nstore " + result +
         " %r, ptr addrspace(1) %to\nret void\n}\n";
}
