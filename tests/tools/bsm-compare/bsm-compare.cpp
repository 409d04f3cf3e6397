//===- bsm-compare.cpp - Compiled kernels against the interpreter ---------===//
//
// Runs a kernel in the reference interpreter, then compiled in several
// configurations (any shape, the group's shape with and without knowing that no
// group is cut, several widths), and compares every byte of every buffer.
// Options are those of bsm-interp and
//
//   --ulps INDEX=f32:3   floats of a buffer may differ by so many units in the
//                        last place; NaNs are equal (0 for NaNs alone)
//   --configuration N    only the N-th configuration; may be repeated
//
// Exit status: 0 equal, 1 different or a run failed, 2 bad usage.
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "CompiledRun.h"
#include "Difference.h"

#include "runtime/Specialisation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace bessemer;
using namespace bessemer::testing;

namespace {
struct Configuration {
  std::string name;
  codegen::cpu::Options options;
};
} // namespace

static std::vector<Configuration> configurations(const bsm_launch &launch) {
  std::array<uint32_t, 3> group;
  std::copy_n(launch.threads_per_threadgroup, 3, group.begin());
  std::vector<Configuration> list(5);
  list[0].name = "any shape";
  for (size_t i = 1; i < list.size(); ++i)
    list[i].options.group = group;
  // As a dispatch would have it; the last two serve cut grids as well.
  list[1].options.completeGroups = list[2].options.completeGroups =
      runtime::specialisationFor(launch).completeGroups;
  list[1].name = "group shape";
  list[2].name = "4 lanes a part";
  list[2].options.partLanes = 4;
  list[3].name = "32 lanes in flight";
  list[3].options.lanesInFlight = 32;
  list[4].name = "16 lanes a part, 128 in flight";
  list[4].options.partLanes = 16;
  list[4].options.lanesInFlight = 128;
  return list;
}

static Tolerances parseTolerances(const Setup &setup,
                                  const std::vector<std::string> &options) {
  Tolerances tolerances;
  for (const std::string &option : options)
    if (auto parsed = parseBufferOption(setup, option)) {
      auto [type, ulps] = llvm::StringRef(parsed->second).split(':');
      Tolerance tolerance{type.str(), 0};
      if (!ulps.getAsInteger(10, tolerance.ulps))
        tolerances[parsed->first] = tolerance;
    }
  return tolerances;
}

/// The statuses must agree as well: both done or both at a fault.
static std::string compareStatus(const Status &wanted, const Status &got) {
  if (bool(wanted) == bool(got))
    return wanted || wanted.error().kind == got.error().kind
               ? ""
               : "fails with '" + got.error().message + "'";
  return got ? "does not fail" : "fails with '" + got.error().message + "'";
}

int main(int argc, char **argv) {
  CLI::App app("Compares compiled kernels with the reference interpreter.");
  CommandLine command;
  std::vector<std::string> ulps;
  std::vector<size_t> chosen;
  command.declare(app);
  declareList(app, "--ulps", ulps, "INDEX=TYPE:COUNT");
  app.add_option("--configuration", chosen, "number of a configuration");
  CLI11_PARSE(app, argc, argv);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto setup = command.setup();
  if (!setup) {
    llvm::errs() << "error: " << setup.error().message << '\n';
    return 2;
  }
  const auto initial = (*setup)->buffers;
  Tolerances tolerances = parseTolerances(**setup, ulps);
  if (tolerances.size() != ulps.size()) {
    llvm::errs() << "error: --ulps takes INDEX=TYPE:COUNT of bound buffers\n";
    return 2;
  }
  const bsm_launch &launch = (*setup)->launch();
  command.options.threadgroupBytes = (*setup)->threadgroupBytes;
  Status reference = codegen::interp::run(*(*setup)->module, (*setup)->kernel,
                                          launch, command.options);
  if (!reference && reference.error().kind != ErrorKind::Fault) {
    llvm::errs() << "error: " << reference.error().message << '\n';
    return 1;
  }
  const auto wanted = (*setup)->buffers;
  int exitStatus = 0;
  for (const auto &[number, configuration] :
       llvm::enumerate(configurations(launch))) {
    if (!chosen.empty() && !llvm::is_contained(chosen, number))
      continue;
    for (const auto &[index, bytes] : initial)
      std::copy(bytes.begin(), bytes.end(), (*setup)->buffers[index].begin());
    Status status = runCompiled(**setup, configuration.options);
    std::string problem = compareStatus(reference, status);
    // What a faulting dispatch wrote before is unspecified.
    if (problem.empty() && reference)
      problem = findDifference(wanted, (*setup)->buffers, tolerances);
    if (problem.empty())
      continue;
    llvm::outs() << configuration.name << ": " << problem << '\n';
    exitStatus = 1;
  }
  if (exitStatus == 0)
    llvm::outs() << "equal\n";
  return exitStatus;
}
