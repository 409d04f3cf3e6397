//===- Scheduler.cpp - The order of instructions in a block ---------------===//

#include "codegen/cpu/7_object/Scheduler.h"

#include "llvm/CodeGen/MachineScheduler.h"
#include "llvm/CodeGen/MacroFusion.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// Instructions of a block beyond which the emitted order stays.
constexpr unsigned longestScheduled = 400;

/// The emitter finishes one thing before it begins the next, which is what
/// keeps values in registers. LLVM's scheduler looks at a whole block, and in
/// long ones begins everything at once: sums then go to memory and back at
/// each step.
class ShortBlocks : public ScheduleDAGMILive {
public:
  explicit ShortBlocks(MachineSchedContext *context)
      : ScheduleDAGMILive(context,
                          std::make_unique<GenericScheduler>(context)) {}
  void schedule() override {
    if (NumRegionInstrs <= longestScheduled)
      ScheduleDAGMILive::schedule();
  }
};

/// A comparison right before the branch that takes its flags costs nothing.
bool setsFlags(const TargetInstrInfo &, const TargetSubtargetInfo &,
               const MachineInstr *first, const MachineInstr &second) {
  return second.isConditionalBranch() &&
         (!first || any_of(first->all_defs(), [](const MachineOperand &result) {
           return result.getReg().isPhysical();
         }));
}

ScheduleDAGInstrs *createScheduler(MachineSchedContext *context) {
  auto *scheduler = new ShortBlocks(context);
  scheduler->addMutation(
      createCopyConstrainDAGMutation(scheduler->TII, scheduler->TRI));
  scheduler->addMutation(
      createMacroFusionDAGMutation({setsFlags}, /*BranchOnly=*/true));
  return scheduler;
}

template <typename Option, typename Value>
void setDefault(StringRef name, Value value) {
  auto &options = cl::getRegisteredOptions();
  if (auto option = options.find(name); option != options.end())
    static_cast<Option *>(option->second)->setInitialValue(value);
}

} // namespace

void configureScheduler() {
  // The scheduler looks at every pair of memory accesses of a block up to this
  // number of them; LLVM's 1000 makes long kernels take minutes.
  setDefault<cl::opt<unsigned>>("dag-maps-huge-region", 100u);
  setDefault<cl::opt<unsigned>>("dag-maps-reduction-size", 50u);
  setDefault<cl::opt<MachineSchedRegistry::ScheduleDAGCtor, false,
                     RegisterPassParser<MachineSchedRegistry>>>(
      "misched", createScheduler);
}

} // namespace bessemer::codegen::cpu
