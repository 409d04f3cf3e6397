//===- main.cpp - Prints the plan of a graph ------------------------------===//
//
//   bsm-plan FILE [FUNCTION] [--sources] [--lower] [-o PLAN]
//
// --lower: the program holds torch.call ops. -o writes the plan as a file too.
//
//===----------------------------------------------------------------------===//
#include "PrintPlan.h"
#include "convert/Convert.h"
#include "plan/Serialize.h"
#include "plan/Verify.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace bessemer;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::desc("<program text>"),
                                  cl::init("-"));
static cl::opt<std::string> function(cl::Positional, cl::desc("<function>"),
                                     cl::init("main"));
static cl::opt<bool> sources("sources", cl::desc("Print the kernels' source"));
static cl::opt<bool> lower("lower", cl::desc("Lower torch.call first"));
static cl::opt<std::string> output("o", cl::desc("Write the plan to a file"));

static int fail(const std::string &message) {
  llvm::errs() << "error: " << message << '\n';
  return 1;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Bessemer plan printer\n");
  auto text = llvm::MemoryBuffer::getFileOrSTDIN(input, /*IsText=*/true);
  if (!text)
    return fail("cannot read " + input + ": " + text.getError().message());
  auto program = IRProgram::parse((*text)->getBuffer());
  if (!program)
    return fail(program.error().message);
  if (lower)
    if (Status status = lowerTorch(**program); !status)
      return fail(status.error().message);
  Result<plan::Plan> plan = buildPlan(**program, function.getValue());
  if (!plan)
    return fail(plan.error().message);
  printPlan(*plan, sources, llvm::outs());
  if (Status valid = plan::verify(*plan); !valid)
    return fail(valid.error().message);
  if (output.empty())
    return 0;
  std::error_code code;
  llvm::raw_fd_ostream file(output, code);
  if (code)
    return fail("cannot write " + output + ": " + code.message());
  file << plan::serialize(*plan);
  return 0;
}
