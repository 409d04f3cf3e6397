//===- Compile.cpp - Kernel IR to CPU machine code ------------------------===//

#include "codegen/cpu/Compile.h"

#include "codegen/common/Intrinsics.h"
#include "codegen/common/SpmdTTI.h"
#include "codegen/cpu/1_prepare/FusedProducts.h"
#include "codegen/cpu/1_prepare/Prepare.h"
#include "codegen/cpu/2_regions/ChunkSize.h"
#include "codegen/cpu/2_regions/CommonExits.h"
#include "codegen/cpu/2_regions/UnrollShortLoops.h"
#include "codegen/cpu/4_shapes/Streams.h"
#include "codegen/cpu/7_object/Driver.h"
#include "codegen/cpu/7_object/Target.h"
#include "codegen/cpu/Region.h"
#include "support/Cancellation.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// One kernel on its way through the stages.
class Compilation {
public:
  Compilation(Module &module, const KernelInfo &kernel, const Options &options,
              TargetMachine &target, Stage stopAfter)
      : module(module), kernel(kernel), options(options), target(target),
        stopAfter(stopAfter) {}

  Status run();

private:
  /// A lane layout with the regions it was cut into.
  struct Cut {
    RegionOptions options;
    std::vector<Function *> regions;
    BodySet bodies;
    bool wantAll = true, wantMasked = true;
  };

  RegionOptions regionOptions() const;
  Status planCuts();
  Status emitCut(Cut &cut);
  Status emitRegion(Cut &cut, Function &region, SpmdAnalyses &analyses);
  Result<Function *> emit(Function &region, EntryMask mask,
                          const RegionOptions &options, SpmdAnalyses &analyses);
  void finish();

  Module &module;
  const KernelInfo &kernel;
  const Options &options;
  TargetMachine &target;
  Stage stopAfter;

  Function *prepared = nullptr;
  std::vector<Cut> cuts; ///< For complete groups, then for partial ones.
};

RegionOptions Compilation::regionOptions() const {
  RegionOptions result;
  result.group = options.group;
  result.partLanes =
      options.partLanes ? options.partLanes : nativePartLanes(target);
  if (result.anyShape())
    result.layout = LaneLayout::Index;
  return result;
}

Status checkOptions(const Options &options) {
  auto [x, y, z] = options.group;
  bool anyShape = !x && !y && !z;
  uint64_t threads = uint64_t(x) * y * z;
  if (!anyShape && (threads == 0 || threads > 1024))
    return makeError(ErrorKind::InvalidArgument,
                     "a threadgroup of " + std::to_string(x) + " x " +
                         std::to_string(y) + " x " + std::to_string(z) +
                         " threads; allowed are 1 to 1024 in all");
  unsigned part = options.partLanes, lanes = options.lanesInFlight;
  if (part && (!isPowerOf2_32(part) || part > 32))
    return makeError(ErrorKind::InvalidArgument,
                     "part lanes " + std::to_string(part) +
                         "; allowed are 1, 2, 4, 8, 16 and 32");
  if (lanes % 32)
    return makeError(ErrorKind::InvalidArgument,
                     "lanes in flight " + std::to_string(lanes) +
                         "; allowed are multiples of 32");
  return {};
}

// Partial groups use the constant shape with a mask unless the kernel can see
// that Metal numbers only the threads that are there.
Status Compilation::planCuts() {
  RegionOptions shape = regionOptions();
  Result<Function *> first = specialise(*prepared, shape);
  if (!first)
    return first.error();
  findCommonExits(**first);
  KernelTraits traits = traitsOf(**first);
  shape.lanesInFlight = options.lanesInFlight
                            ? options.lanesInFlight
                            : chooseLanesInFlight(traits, shape);
  unrollShortLoops(**first, shape.chunks() == 1);
  cuts.push_back({shape, {*first}, {}});
  if (shape.anyShape()) {
    cuts.front().wantAll = false;
    return {};
  }
  // Lanes of the last chunk may stand for no thread.
  bool wholeChunks = shape.threads() % shape.lanesInFlight == 0;
  if (options.completeGroups) {
    cuts.front().wantMasked = !wholeChunks;
    return {};
  }
  bool oneRow = shape.group[1] * shape.group[2] == 1;
  if (oneRow || !(traits.simdgroups || traits.threadIndex))
    return {};
  cuts.front().wantMasked = !wholeChunks;
  shape.layout = LaneLayout::Index;
  Result<Function *> second = specialise(*prepared, shape);
  if (!second)
    return second.error();
  findCommonExits(**second);
  unrollShortLoops(**second, shape.chunks() == 1);
  cuts.push_back({shape, {*second}, {}, false, true});
  return {};
}

/// Emitted instructions beyond which one body, under a mask, does for complete
/// and partial groups, if both are wanted of one cut.
constexpr uint64_t budgetForTwoBodies = 24000;

/// Emitted instructions, of all regions, from which bodies are to be less code.
constexpr uint64_t compactFrom = 16000, leastFrom = 24000;

uint64_t emittedSize(ArrayRef<Function *> regions,
                     const RegionOptions &options) {
  uint64_t count = 0;
  for (const Function *region : regions)
    count += region->getInstructionCount();
  return count * options.parts();
}

EntryMask maskOf(const RegionOptions &options) {
  return options.layout == LaneLayout::Index ? EntryMask::Index
                                             : EntryMask::Position;
}

Status Compilation::emitCut(Cut &cut) {
  SpmdAnalyses analyses(cut.options.oneSimdgroup());
  uint64_t size = emittedSize(cut.regions, cut.options);
  if (cut.wantMasked && size > budgetForTwoBodies)
    cut.wantAll = false;
  cut.options.size = size > leastFrom     ? CodeSize::Least
                     : size > compactFrom ? CodeSize::Compact
                                          : CodeSize::Any;
  for (Function *region : cut.regions) {
    if (Status status = structurise(*region, cut.options, analyses.functions);
        !status)
      return status;
    if (stopAfter == Stage::Structurise)
      continue;
    if (Status status = emitRegion(cut, *region, analyses); !status)
      return status;
  }
  return {};
}

Result<Function *> Compilation::emit(Function &region, EntryMask mask,
                                     const RegionOptions &options,
                                     SpmdAnalyses &analyses) {
  Result<Function *> body =
      emitBody(region, mask, options, analyses.functions, target);
  // No barrier is left, and nothing else reaches the group's memory.
  if (body)
    RegionParameters::get(**body, RegionParameters::Threadgroup)
        ->addAttr(Attribute::NoAlias);
  return body;
}

/// The bodies of one region.
Status Compilation::emitRegion(Cut &cut, Function &region,
                               SpmdAnalyses &analyses) {
  BodySet &bodies = cut.bodies;
  if (cut.wantAll) {
    Result<Function *> body =
        emit(region, EntryMask::All, cut.options, analyses);
    if (!body)
      return body.error();
    bodies.all.push_back(*body);
  }
  if (cut.wantAll && cut.regions.size() == 1) {
    Result<std::vector<unsigned>> streamed =
        findStreamedArguments(region, cut.options, analyses.functions);
    if (!streamed)
      return streamed.error();
    bodies.streamed = std::move(*streamed);
  }
  if (!bodies.streamed.empty()) {
    RegionOptions streaming = cut.options;
    streaming.streaming = true;
    Result<Function *> body = emit(region, EntryMask::All, streaming, analyses);
    if (!body)
      return body.error();
    bodies.streaming = *body;
  }
  if (cut.wantMasked) {
    Result<Function *> body =
        emit(region, maskOf(cut.options), cut.options, analyses);
    if (!body)
      return body.error();
    bodies.masked.push_back(*body);
  }
  return {};
}

/// Bodies that are called from one place become part of the group loop, which
/// then hoists the argument loads.
void inlineSingleRegion(const BodySet &bodies) {
  for (const std::vector<Function *> *set : {&bodies.all, &bodies.masked})
    if (set->size() == 1 && !set->front()->hasFnAttribute(Attribute::NoInline))
      set->front()->addFnAttr(Attribute::AlwaysInline);
  if (bodies.streaming &&
      !bodies.streaming->hasFnAttribute(Attribute::NoInline))
    bodies.streaming->addFnAttr(Attribute::AlwaysInline);
}

void Compilation::finish() {
  uint64_t contextBytes = 64;
  for (Cut &cut : cuts) {
    cut.bodies.options = cut.options;
    contextBytes = std::max(contextBytes, cut.bodies.contextBytes);
    inlineSingleRegion(cut.bodies);
  }
  KernelRecord record{kernel.name, nullptr, options.group,
                      staticThreadgroupBytes(*prepared), contextBytes};
  record.run =
      emitDriver(module, kernel, cuts.front().bodies, cuts.back().bodies);
  emitLibrary(module, record);
  for (Cut &cut : cuts)
    for (Function *region : cut.regions)
      region->eraseFromParent();
  prepared->eraseFromParent();
}

Status verify(const Module &module) {
  std::string message;
  raw_string_ostream stream(message);
  if (!verifyModule(module, &stream))
    return {};
  return makeError(ErrorKind::Internal,
                   "generated IR is not valid: " + message.substr(0, 600));
}

Status Compilation::run() {
  if (Status status = checkOptions(options); !status)
    return status;
  module.setTargetTriple(target.getTargetTriple());
  module.setDataLayout(target.createDataLayout());
  fuseProducts(module, target);
  Result<Function *> function = prepareKernel(module, kernel);
  if (!function)
    return function.error();
  prepared = *function;
  if (Status status = planCuts(); !status)
    return status;
  if (stopAfter == Stage::Prepare)
    return {};
  for (Cut &cut : cuts) {
    Result<RegionSet> regions = cutRegions(*cut.regions.front(), cut.options);
    if (!regions)
      return regions.error();
    cut.regions = std::move(regions->regions);
    cut.bodies.contextBytes = regions->contextBytes;
  }
  if (stopAfter == Stage::Regions)
    return {};
  for (Cut &cut : cuts) {
    if (Status status = emitCut(cut); !status)
      return status;
    if (isCancelled())
      return makeError(ErrorKind::Interrupted, "interrupted");
  }
  if (stopAfter == Stage::Structurise)
    return {};
  finish();
  if (Status status = verify(module); !status || stopAfter == Stage::Emit)
    return status;
  return cleanUp(module, target);
}

} // namespace

Status vectorise(Module &module, const KernelInfo &kernel,
                 const Options &options, TargetMachine &target,
                 Stage stopAfter) {
  return Compilation(module, kernel, options, target, stopAfter).run();
}

Result<std::string> compileKernel(const Module &module,
                                  const KernelInfo &kernel,
                                  const Options &options) {
  Result<std::unique_ptr<TargetMachine>> target = createTarget(options);
  if (!target)
    return target.error();
  if (!module.getFunction(kernel.symbol))
    return noBody(kernel);
  std::unique_ptr<Module> copy = extractKernel(module, kernel.symbol);
  if (Status status = vectorise(*copy, kernel, options, **target); !status)
    return status.error();
  Result<std::string> object = emitObject(*copy, **target);
  if (!object)
    return object;
  return linkShared(*object);
}

} // namespace bessemer::codegen::cpu
