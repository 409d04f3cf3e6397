//===- bsm-region.cpp - The stages between cut and clean-up, alone --------===//
//
// bsm-region region.ll --group=64,1,1 --stop-after=shapes
//
// Reads region functions as Region.h describes them, so that these stages are
// tested on input that no earlier stage has touched, and prints the structured
// regions, the shapes of their values, or the bodies.
//
//===----------------------------------------------------------------------===//

#include "codegen/common/SpmdTTI.h"
#include "codegen/cpu/4_shapes/ShapeAnalysis.h"
#include "codegen/cpu/7_object/Target.h"
#include "codegen/cpu/Region.h"

#include <CLI/CLI.hpp>

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace bessemer;
using namespace bessemer::codegen::cpu;
using namespace llvm;

namespace {

enum class Stop { Structurise, Shapes, Emit };

struct CommandLine {
  std::string input, cpu = "x86-64-v3";
  std::vector<unsigned> group{64, 1, 1};
  unsigned partLanes = 8, lanes = 64;
  EntryMask mask = EntryMask::All;
  CodeSize size = CodeSize::Any;
  Stop stopAfter = Stop::Emit;
};

int fail(const bessemer::Error &error) {
  errs() << "bsm-region: error: " << error.message << "\n";
  return 1;
}

int process(Function &region, const CommandLine &line,
            const RegionOptions &options, TargetMachine &target) {
  codegen::SpmdAnalyses analyses(options.oneSimdgroup());
  if (Status status = structurise(region, options, analyses.functions); !status)
    return fail(status.error());
  if (line.stopAfter == Stop::Structurise) {
    region.print(outs());
    return 0;
  }
  if (line.stopAfter == Stop::Shapes) {
    Status status = printShapes(region, options, analyses.functions, outs());
    return status ? 0 : fail(status.error());
  }
  auto body = emitBody(region, line.mask, options, analyses.functions, target);
  if (!body)
    return fail(body.error());
  (*body)->print(outs());
  return 0;
}

int run(const CommandLine &line) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(line.input, diagnostic, context);
  if (!module) {
    diagnostic.print("bsm-region", errs());
    return 1;
  }
  Options targetOptions;
  targetOptions.cpu = line.cpu;
  auto target = createTarget(targetOptions);
  if (!target)
    return fail(target.error());
  module->setDataLayout((*target)->createDataLayout());
  module->setTargetTriple((*target)->getTargetTriple());
  RegionOptions options;
  for (size_t axis = 0; axis < 3; ++axis)
    options.group[axis] = axis < line.group.size() ? line.group[axis] : 1;
  options.partLanes = line.partLanes;
  options.lanesInFlight = line.lanes;
  options.size = line.size;
  std::vector<Function *> regions;
  for (Function &function : *module)
    if (!function.isDeclaration())
      regions.push_back(&function);
  for (Function *region : regions)
    if (int status = process(*region, line, options, **target))
      return status;
  return 0;
}

} // namespace

// LLVM's own command line has options of the same names, hence CLI11.
int main(int count, char **arguments) {
  CommandLine line;
  CLI::App app("The stages between cut and clean-up, alone");
  app.add_option("input", line.input, "region functions")->required();
  app.add_option("--group", line.group, "threadgroup shape X,Y,Z")
      ->delimiter(',');
  app.add_option("--part-lanes", line.partLanes);
  app.add_option("--lanes", line.lanes, "lanes in flight");
  app.add_option("--cpu", line.cpu, "LLVM's name");
  std::map<std::string, EntryMask> masks{{"all", EntryMask::All},
                                         {"position", EntryMask::Position},
                                         {"index", EntryMask::Index}};
  app.add_option("--mask", line.mask, "lanes active on entry")
      ->transform(CLI::CheckedTransformer(masks));
  std::map<std::string, CodeSize> sizes{{"any", CodeSize::Any},
                                        {"compact", CodeSize::Compact},
                                        {"least", CodeSize::Least}};
  app.add_option("--size", line.size, "the most code that is allowed")
      ->transform(CLI::CheckedTransformer(sizes));
  std::map<std::string, Stop> stages{{"structurise", Stop::Structurise},
                                     {"shapes", Stop::Shapes},
                                     {"emit", Stop::Emit}};
  app.add_option("--stop-after", line.stopAfter)
      ->transform(CLI::CheckedTransformer(stages));
  CLI11_PARSE(app, count, arguments);
  return run(line);
}
