//===- Cut.cpp - One function per stretch between barriers ----------------===//
//
// Region r + 1 is a copy of the kernel that is entered behind barrier r and
// leaves at whichever barrier or return comes next. So barriers in uniform
// loops and branches need nothing special: that control flow is simply part of
// the regions that contain it.
//
//===----------------------------------------------------------------------===//

#include "codegen/common/Intrinsics.h"
#include "codegen/common/PinnedExitValues.h"
#include "codegen/common/SourceLine.h"
#include "codegen/common/SpmdTTI.h"
#include "codegen/cpu/2_regions/BarrierVote.h"
#include "codegen/cpu/2_regions/LiveValues.h"
#include "codegen/cpu/2_regions/PrivateArrays.h"
#include "codegen/cpu/2_regions/Rematerialise.h"
#include "codegen/cpu/2_regions/ShareSlots.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

class Cutter {
public:
  Cutter(Function &kernel, const RegionOptions &options)
      : kernel(kernel), options(options), layout(options),
        builder(kernel.getContext()), i8(builder.getInt8Ty()),
        i32(builder.getInt32Ty()) {}

  bool findBarriers();
  Result<RegionSet> run();

private:
  void isolateBarriers();
  void copyPhis();
  Status placeLiveValues();
  UniformityInfo &uniformityOf(FunctionAnalysisManager &analyses) const;
  bool returnsDivergently(FunctionAnalysisManager &analyses) const;
  bool reachesBarrier(BasicBlock *from, const BasicBlock *stop) const;
  void demote();

  Function *makeRegion(unsigned number);
  BasicBlock *enterBehind(unsigned barrier, Function &region,
                          ValueToValueMapTy &map);
  void leaveAtBarriers(Function &region, ValueToValueMapTy &map);
  void saveLiveValues(unsigned barrier, BasicBlock &block,
                      ValueToValueMapTy &map, BasicBlock *restored);
  void markExited(Function &region, ArrayRef<ReturnInst *> returns);
  void markPresent(Function &region);

  Value *contextAt(Function &region, unsigned offset);
  Value *threadIndex(Function &region);
  Value *addressOf(Function &region, const LiveValue &live);
  Value *presentFlag(Function &region);
  Type *storedType(const LiveValue &live) {
    Type *type = live.value->getType();
    return type->isIntegerTy(1) ? i8 : type;
  }
  uint64_t storedBytes(const LiveValue &live) {
    return kernel.getDataLayout().getTypeAllocSize(storedType(live));
  }

  Function &kernel;
  const RegionOptions &options;
  ContextLayout layout;
  IRBuilder<> builder;
  Type *i8, *i32;

  SmallVector<Instruction *> barriers;
  SmallVector<BasicBlock *> barrierBlocks;
  std::vector<LiveValue> liveValues;
  BasicBlock *trees = nullptr; ///< Unreachable home of rematerialised trees.
  bool earlyExits = false;     ///< Lanes may return while others wait.
  unsigned presentOffset = 0;
};

bool Cutter::findBarriers() {
  for (Instruction &instruction : instructions(kernel))
    if (intrinsicOf(&instruction) == Intrinsic::ThreadgroupBarrier)
      barriers.push_back(&instruction);
  return !barriers.empty();
}

void Cutter::isolateBarriers() {
  for (Instruction *barrier : barriers) {
    BasicBlock *block =
        SplitBlock(barrier->getParent(), barrier->getIterator());
    SplitBlock(block, std::next(barrier->getIterator()));
    block->setName("barrier");
    barrierBlocks.push_back(block);
  }
}

// A demoted phi is stored at the top of its block; users among the phis of the
// same block would read it too late without a copy.
void Cutter::copyPhis() {
  SmallVector<PHINode *> phis;
  for (Instruction &instruction : instructions(kernel))
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      phis.push_back(phi);
  for (PHINode *phi : phis) {
    auto *copy = new BitCastInst(phi, phi->getType(), phi->getName() + ".copy",
                                 phi->getParent()->getFirstNonPHIIt());
    phi->replaceUsesWithIf(copy,
                           [&](Use &use) { return use.getUser() != copy; });
  }
}

bool Cutter::reachesBarrier(BasicBlock *from, const BasicBlock *stop) const {
  SmallVector<BasicBlock *> worklist{from};
  SmallPtrSet<BasicBlock *, 16> seen;
  while (!worklist.empty()) {
    BasicBlock *block = worklist.pop_back_val();
    if (block == stop || !seen.insert(block).second)
      continue;
    if (is_contained(barrierBlocks, block))
      return true;
    append_range(worklist, successors(block));
  }
  return false;
}

UniformityInfo &Cutter::uniformityOf(FunctionAnalysisManager &analyses) const {
  PinnedExitValues pins(kernel);
  return analyses.getResult<UniformityInfoAnalysis>(kernel);
}

/// Whether a branch sends some threads to a barrier and others around it. They
/// wait for each other only where both sides meet, so those must have returned.
bool Cutter::returnsDivergently(FunctionAnalysisManager &analyses) const {
  auto &uniformity = uniformityOf(analyses);
  auto &joins = analyses.getResult<PostDominatorTreeAnalysis>(kernel);
  return any_of(kernel, [&](BasicBlock &block) {
    if (!uniformity.hasDivergentTerminator(block))
      return false;
    const auto *node = joins.getNode(&block);
    const auto *join = node ? node->getIDom() : nullptr;
    return any_of(successors(&block), [&](BasicBlock *successor) {
      return reachesBarrier(successor, join ? join->getBlock() : nullptr);
    });
  });
}

/// Whether threads agree on the value wherever it is used: behind a loop that
/// they leave in different iterations they hold those of different ones.
static bool isUniform(const Instruction &value,
                      const UniformityInfo &uniformity) {
  return none_of(value.uses(), [&](const Use &use) {
    return uniformity.isDivergentUse(use);
  });
}

Status Cutter::placeLiveValues() {
  // What a chunk agrees on, it can keep in one slot; but only what the whole
  // group agrees on cannot make some threads return early.
  SpmdAnalyses chunk(options.oneSimdgroup()), group(/*oneSimdgroup=*/false);
  auto &uniformity = uniformityOf(chunk.functions);
  earlyExits = returnsDivergently(group.functions);
  Rematerialiser rematerialiser(uniformity);
  liveValues = findLiveValues(kernel, barrierBlocks);
  for (LiveValue &live : liveValues) {
    Type *type = live.value->getType();
    if (type->isAggregateType())
      return makeError(ErrorKind::Unsupported,
                       atSourceLine(*live.value) +
                           "a structure that lives across a barrier");
    live.uniform = isUniform(*live.value, uniformity) &&
                   storedBytes(live) <= ContextLayout::slotBytes;
    live.rematerialise = rematerialiser.isCheap(live.value);
  }
  std::vector<unsigned> places = shareSlots(liveValues);
  for (auto [number, live] : enumerate(liveValues)) {
    if (live.rematerialise)
      continue;
    if (places[number] != number)
      live.offset = liveValues[places[number]].offset;
    else
      live.offset = live.uniform ? layout.perChunk()
                                 : layout.perThread(storedBytes(live));
  }
  if (earlyExits)
    presentOffset = layout.perThread(4);
  return {};
}

/// Every live value into a stack slot, after which regions need no phis across
/// their borders. Trees are copied while they are still trees.
void Cutter::demote() {
  trees = BasicBlock::Create(kernel.getContext(), "trees", &kernel);
  builder.SetInsertPoint(trees);
  DenseMap<Value *, Value *> copies;
  for (LiveValue &live : liveValues)
    if (live.rematerialise)
      live.tree = copyTree(live.value, builder, copies);
  builder.CreateUnreachable();
  for (LiveValue &live : liveValues)
    live.slot = DemoteRegToStack(
        *live.value, /*VolatileLoads=*/false,
        std::optional(kernel.getEntryBlock().getFirstInsertionPt()));
}

Value *Cutter::contextAt(Function &region, unsigned offset) {
  return builder.CreateConstInBoundsGEP1_64(
      i8, RegionParameters::get(region, RegionParameters::Context), offset);
}

Value *Cutter::threadIndex(Function &region) {
  CallInst *index = builder.CreateCall(declareIntrinsic(
      *region.getParent(), Intrinsic::ThreadIndexInThreadgroup, 0));
  index->addRangeRetAttr(
      ConstantRange(APInt(32, 0), APInt(32, options.paddedThreads())));
  return builder.CreateZExt(index, builder.getInt64Ty());
}

Value *Cutter::addressOf(Function &region, const LiveValue &live) {
  Value *base = contextAt(region, live.offset);
  if (!live.uniform)
    return builder.CreateGEP(storedType(live), base, threadIndex(region));
  Value *first = RegionParameters::get(region, RegionParameters::First);
  Value *chunk =
      builder.CreateUDiv(first, builder.getInt32(options.lanesInFlight));
  return builder.CreateGEP(builder.getInt64Ty(), base,
                           builder.CreateZExt(chunk, builder.getInt64Ty()));
}

// A word, as vectors of words have masked stores on every machine. Not 0 for
// the usual case, since emission takes `== constant` for rare.
Value *Cutter::presentFlag(Function &region) {
  return builder.CreateGEP(i32, contextAt(region, presentOffset),
                           threadIndex(region));
}

/// The new entry: lanes that have returned leave at once, the others reload
/// what lives across the barrier.
BasicBlock *Cutter::enterBehind(unsigned barrier, Function &region,
                                ValueToValueMapTy &map) {
  LLVMContext &context = region.getContext();
  BasicBlock *entry =
      BasicBlock::Create(context, "entry", &region, &region.getEntryBlock());
  for (Instruction &instruction : make_early_inc_range(*entry->getNextNode()))
    if (isa<AllocaInst>(instruction))
      instruction.moveBefore(*entry, entry->end());
  BasicBlock *restore = BasicBlock::Create(context, "restore", &region);
  builder.SetInsertPoint(entry);
  if (earlyExits) {
    BasicBlock *gone = BasicBlock::Create(context, "gone", &region);
    Value *present = builder.CreateLoad(i32, presentFlag(region), "present");
    builder.CreateCondBr(builder.CreateIsNotNull(present), restore, gone);
    builder.SetInsertPoint(gone);
    builder.CreateRetVoid();
  } else {
    builder.CreateBr(restore);
  }
  builder.SetInsertPoint(restore);
  DenseMap<Value *, Value *> copies;
  for (auto [from, to] : zip(kernel.args(), region.args()))
    copies[&from] = &to;
  for (const LiveValue &live : liveValues) {
    if (!is_contained(live.barriers, barrier))
      continue;
    Value *value =
        live.rematerialise
            ? copyTree(live.tree, builder, copies)
            : builder.CreateLoad(storedType(live), addressOf(region, live));
    if (value->getType() != live.value->getType())
      value = builder.CreateTrunc(value, live.value->getType());
    builder.CreateStore(value, map[live.slot]);
  }
  builder.CreateBr(
      cast<BasicBlock>(map[barrierBlocks[barrier]])->getSingleSuccessor());
  return restore;
}

// A value that this region did not compute is still in the context.
void Cutter::saveLiveValues(unsigned barrier, BasicBlock &block,
                            ValueToValueMapTy &map, BasicBlock *restored) {
  Function &region = *block.getParent();
  for (const LiveValue &live : liveValues) {
    if (live.rematerialise || !is_contained(live.barriers, barrier))
      continue;
    Value *slot = map[live.slot];
    bool computedHere = any_of(slot->users(), [&](User *user) {
      auto *store = dyn_cast<StoreInst>(user);
      return store && store->getParent() != restored;
    });
    if (!computedHere)
      continue;
    Value *value = builder.CreateLoad(live.value->getType(), slot);
    if (storedType(live) != value->getType())
      value = builder.CreateZExt(value, storedType(live));
    builder.CreateStore(value, addressOf(region, live));
  }
}

void Cutter::leaveAtBarriers(Function &region, ValueToValueMapTy &map) {
  for (BasicBlock *original : barrierBlocks) {
    auto *block = cast<BasicBlock>(map[original]);
    block->front().eraseFromParent();
    block->getTerminator()->eraseFromParent();
    ReturnInst::Create(region.getContext(), nullptr, block);
  }
}

void Cutter::markExited(Function &region, ArrayRef<ReturnInst *> returns) {
  for (ReturnInst *instruction : returns) {
    builder.SetInsertPoint(instruction);
    builder.CreateStore(builder.getInt32(0), presentFlag(region));
  }
}

void Cutter::markPresent(Function &region) {
  BasicBlock &entry = region.getEntryBlock();
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  builder.CreateStore(builder.getInt32(1), presentFlag(region));
}

Function *Cutter::makeRegion(unsigned number) {
  ValueToValueMapTy map;
  Function *region = CloneFunction(&kernel, map);
  region->setName(kernel.getName() + ".r" + Twine(number));
  SmallVector<ReturnInst *> returns;
  for (BasicBlock &block : *region)
    if (auto *instruction = dyn_cast<ReturnInst>(block.getTerminator()))
      returns.push_back(instruction);
  BasicBlock *restored = nullptr;
  if (number)
    restored = enterBehind(number - 1, *region, map);
  leaveAtBarriers(*region, map);

  SmallPtrSet<BasicBlock *, 32> reachable;
  for (BasicBlock *block : depth_first(region))
    reachable.insert(block);
  // Dead blocks first, as their stores would count as computing a value.
  SmallVector<std::pair<unsigned, BasicBlock *>> exits;
  for (auto [barrier, original] : enumerate(barrierBlocks))
    if (auto *block = cast<BasicBlock>(map[original]); reachable.count(block))
      exits.push_back({barrier, block});
  erase_if(returns, [&](ReturnInst *instruction) {
    return !reachable.count(instruction->getParent());
  });
  removeUnreachableBlocks(*region);

  for (auto [barrier, block] : exits) {
    builder.SetInsertPoint(block->getTerminator());
    saveLiveValues(barrier, *block, map, restored);
    emitVote(builder, contextAt(*region, 0), barrier + 1);
  }
  if (earlyExits && !exits.empty())
    markExited(*region, returns);
  if (earlyExits && !number)
    markPresent(*region);
  return region;
}

void tidy(Function &region, bool oneSimdgroup) {
  SpmdAnalyses analyses(oneSimdgroup);
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.run(region, analyses.functions);
}

Result<RegionSet> Cutter::run() {
  // Private arrays keep their content across barriers.
  if (Status status = movePrivateArrays(kernel, layout, /*kept=*/true); !status)
    return status.error();
  isolateBarriers();
  copyPhis();
  if (Status status = placeLiveValues(); !status)
    return status.error();
  demote();
  RegionSet result;
  for (unsigned number = 0; number <= barrierBlocks.size(); ++number) {
    Function *region = makeRegion(number);
    tidy(*region, options.oneSimdgroup());
    result.regions.push_back(region);
  }
  result.contextBytes = layout.bytes();
  kernel.eraseFromParent();
  return result;
}

} // namespace

Result<RegionSet> cutRegions(Function &kernel, const RegionOptions &options) {
  Cutter cutter(kernel, options);
  if (cutter.findBarriers() && options.chunks() != 1)
    return cutter.run();
  ContextLayout layout(options);
  if (exceedsStack(kernel, options))
    if (Status status = movePrivateArrays(kernel, layout, /*kept=*/false);
        !status)
      return status.error();
  return RegionSet{{&kernel}, layout.bytes()};
}

} // namespace bessemer::codegen::cpu
