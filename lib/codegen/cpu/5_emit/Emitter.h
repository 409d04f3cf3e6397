//===- Emitter.h - One region as a body for W lanes -------------*- C++ -*-===//
//
// Walks the structured control flow of a region and emits every instruction for
// all lanes of a chunk. One file for each thing it knows:
//
//   Emitter.cpp       the body function, blocks, which instruction goes where
//   Values.cpp        a value as scalar, base or vector
//   Masks.cpp         which lanes are on
//   Operations.cpp    arithmetic on scalars and vectors
//   LinearValues.cpp  arithmetic on the bases of linear values
//   LaneLoops.cpp     one lane after another, for what has no vector form
//   Threads.cpp       thread attributes
//   Loads.cpp, Stores.cpp, GroupedAccesses.cpp, PrivateMemory.cpp
//   RowWalks.cpp      loads of lanes that walk along rows
//   Transposition.cpp k elements a lane as k vectors
//   Prefetch.cpp      what other chunks will read
//   Simdgroup.cpp     reductions, scans, ballot, shuffles
//   CheckIndex.cpp    the way out of the body when a subscript is wrong
//   ControlFlow.cpp   branches; Loops.cpp: loops that lanes leave one by one
//
// Invariants: an emitted region has at least one active lane, so uniform loads
// and scalar calls in it are safe. A value is meaningless in inactive lanes and
// may be poison there, so masks combine by select, and flags that promise the
// absence of overflow are dropped from the bases of linear values (the base is
// lane 0's, which may be inactive).
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_EMIT_EMITTER_H
#define BESSEMER_CODEGEN_CPU_EMIT_EMITTER_H

#include "bessemer/abi/launch.h"
#include "codegen/cpu/4_shapes/AccessGroups.h"
#include "codegen/cpu/4_shapes/RowWalks.h"
#include "codegen/cpu/4_shapes/Streams.h"
#include "codegen/cpu/4_shapes/Walks.h"
#include "codegen/cpu/5_emit/BodyLocations.h"
#include "codegen/cpu/5_emit/FloatOperations.h"

#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"

#include <map>
#include <optional>

namespace bessemer::codegen::cpu {

using llvm::Value;

class Transposition;

/// A value: one scalar (Uniform, ChunkLinear), or a scalar (PartLinear) or a
/// vector (Varying) for each part.
using PartValues = llvm::SmallVector<Value *, 16>;

/// What the target does well. From its TargetTransformInfo, never from its
/// name.
struct TargetAbilities {
  bool maskedMemory = false; ///< Masked loads and stores of 32-bit elements.
  bool narrowMaskedMemory = false; ///< Of 16-bit elements.
  bool gather = false;
  bool scatter = false;
};

class Emitter {
public:
  Emitter(llvm::Function &region, EntryMask entryMask,
          const RegionOptions &options, const ShapeAnalysis &shapes,
          const AccessGroups &groups, const Walks &walks,
          const Streams &streams, const RowWalks &rowWalks,
          llvm::TargetMachine &target);
  Result<llvm::Function *> run();
  /// Whether `run` gave up since the body is to be compact.
  bool isTooLarge() const { return tooLarge; }

private:
  using Block = llvm::BasicBlock;
  using BlockMap = llvm::DenseMap<Block *, Block *>;
  using Scalars = llvm::ArrayRef<Value *>;

  /// The divergent loop whose body is being emitted.
  struct LoopState {
    const llvm::Loop *loop = nullptr;
    Block *head = nullptr;       ///< Of the version being emitted.
    Block *maskedHead = nullptr; ///< Of the version under a mask.
    Block *exit = nullptr;
    const PartValues *live = nullptr; ///< Slots of the mask.
    bool allOn = false;
  };

  // Emitter.cpp
  void createBody(llvm::TargetMachine &target);
  void emitEntry();
  unsigned partsAtOnce(llvm::ArrayRef<llvm::Instruction *> segment) const;
  void emitBlock(Block &block);
  void emitInstruction(llvm::Instruction &instruction, unsigned from,
                       unsigned to);
  void emitValue(llvm::Instruction &instruction, PartValues &result,
                 unsigned from, unsigned to);
  void emitPart(llvm::Instruction &instruction, PartValues &result,
                unsigned part);
  bool emitEffect(llvm::Instruction &instruction, unsigned from, unsigned to);
  void fail(const llvm::Instruction *instruction, const llvm::Twine &what);
  bool failed() const { return error.has_value(); }
  void checkSize();
  Block *newBlock(const llvm::Twine &name);

  // Values.cpp
  llvm::Type *held(llvm::Type *type) const;
  llvm::Type *vectorOf(llvm::Type *type) const;
  Value *uniform(const Value *value);
  Value *base(const Value *value, unsigned part);
  Value *vector(const Value *value, unsigned part);
  llvm::Constant *laneOffsets(llvm::Type *type, const Shape &shape) const;
  llvm::Constant *laneNumbers() const;
  Value *offsetBy(Value *base, int64_t offset);
  Value *splat(Value *scalar);
  bool isSame(const Value *value, unsigned part, unsigned other);
  bool hasSameOperands(const llvm::Instruction &instruction, unsigned part,
                       unsigned other);
  llvm::AllocaInst *slot(llvm::Type *type);
  llvm::AllocaInst *scratch(llvm::Type *type, llvm::Align alignment,
                            const char *name);
  Value *load(Value *slot);
  llvm::Constant *int32(uint32_t value) { return b.getInt32(value); }

  // Masks.cpp
  PartValues entryLanes();
  Value *maskOf(unsigned part);
  bool isAllOn(unsigned part) const;
  bool isAllOff(unsigned part) const;
  Value *laneBits(Value *mask);
  Value *anyOf(Scalars masks);
  Value *allOf(Scalars masks);
  Value *restrict(Value *mask, Value *condition);
  PartValues restrict(const PartValues &mask, const PartValues &conditions);
  PartValues conditionOf(const Value *condition, bool inverted);
  struct Conjunct {
    const Value *condition;
    bool inverted;
  };
  void splitCondition(const Value *condition, bool inverted,
                      llvm::SmallVectorImpl<Conjunct> &result);
  Value *agreedOn(const Conjunct &conjunct);
  Value *endPointTest(const Value *condition, bool inverted);
  Value *allTrue(const Value *condition, bool inverted, Scalars conditions);

  // Operations.cpp
  Value *operate(llvm::Instruction &instruction, Scalars operands,
                 bool asVector, bool keepFlags);
  Value *operateBinary(llvm::BinaryOperator &instruction, Value *left,
                       Value *right, bool asVector);
  Value *operateCall(llvm::CallInst &call, Scalars arguments, bool asVector);
  Value *callMath(llvm::StringRef function, bool precise, Scalars arguments,
                  llvm::Instruction &instruction);
  Value *divide(llvm::BinaryOperator &instruction, Value *left, Value *right,
                bool asVector);

  // LinearValues.cpp
  Value *operateOnBases(llvm::Instruction &instruction, Scalars operands,
                        const Shape &shape);
  Value *extendBase(llvm::CastInst &instruction, Value *base,
                    const Shape &shape);

  // PrivateMemory.cpp
  Value *privateMemory(llvm::Instruction &instruction,
                       const PrivateBlock &block);
  Value *interleavedAddress(llvm::GetElementPtrInst &address, Scalars operands);

  // Threads.cpp
  Value *firstThread();
  Value *positionBase(unsigned dimension, unsigned part);
  Value *positionVector(unsigned dimension, unsigned part);
  bool emitAttribute(llvm::CallInst &call, Intrinsic id, PartValues &result,
                     unsigned from, unsigned to);

  // Loads.cpp
  void emitLoad(llvm::LoadInst &load, unsigned part, PartValues &result);
  Value *loadUniform(llvm::LoadInst &load);
  Value *loadPartUniform(llvm::LoadInst &load, unsigned part);
  Value *loadConsecutive(llvm::LoadInst &load, int64_t first, unsigned part);
  Value *loadWindows(llvm::LoadInst &load, const Shape &address, unsigned part);
  Value *gather(llvm::LoadInst &load, unsigned part);
  Value *gatherNarrow(llvm::LoadInst &load, unsigned part);
  Value *gatherLaneByLane(llvm::LoadInst &load, unsigned part);
  PartValues lanePointers(const Value *pointer, unsigned part);
  Value *lanePointer(const Value *pointer, unsigned part, uint64_t lane);
  Value *dummy();

  // Stores.cpp
  void emitStores(llvm::StoreInst &store, unsigned from, unsigned to);
  void emitStore(llvm::StoreInst &store, unsigned part);
  void storeConsecutive(llvm::StoreInst &store, int64_t first, unsigned part);
  void storePastCaches(Value *value, Value *address);
  bool isConsecutive(const llvm::StoreInst &store) const;
  bool isScattered(const llvm::StoreInst &store, unsigned part) const;
  void scatter(llvm::StoreInst &store, unsigned part);
  void scatterInLoop(llvm::StoreInst &store, unsigned from, unsigned to);

  // GroupedAccesses.cpp
  Value *loadFromGroup(const AccessGroup &group, llvm::LoadInst &load,
                       unsigned part);
  void storeGroup(const AccessGroup &group, llvm::StoreInst &store,
                  unsigned part);
  Transposition transpositionOf(const AccessGroup &group);
  Value *elementAddress(const AccessGroup &group,
                        const llvm::Instruction &access, unsigned element,
                        unsigned part);
  Value *granuleMask(const AccessGroup &group, unsigned first, unsigned count,
                     unsigned part);
  bool mayAccessGroup(const AccessGroup &group, unsigned part) const;

  // RowWalks.cpp
  struct RowBlocks {
    llvm::AllocaInst *tag = nullptr;    ///< Where lane 0's block begins.
    llvm::AllocaInst *memory = nullptr; ///< By part, then step.
  };
  RowBlocks &rowBlocksOf(const llvm::LoadInst &load);
  void forgetRowBlocks(const llvm::BasicBlock *from,
                       const llvm::BasicBlock *to);
  void readRowBlocks(const llvm::LoadInst &load);
  PartValues blockAddresses(const llvm::LoadInst &load, Value *start,
                            unsigned part);
  PartValues rowBlock(const llvm::LoadInst &load, Value *start, unsigned part);
  Value *loadFromRow(const llvm::LoadInst &load, unsigned part);

  // Prefetch.cpp
  void emitPrefetches(const llvm::BasicBlock &block);

  // LaneLoops.cpp
  using LaneFunction = llvm::function_ref<Value *(Scalars)>;
  Value *laneMemory(llvm::Type *element, unsigned count, unsigned number);
  void storeLanes(Value *vector, Value *memory, uint64_t first);
  Value *inMemory(Value *value, unsigned number);
  void forEachBit(Value *bits, llvm::function_ref<void(Value *)> each);
  Value *insertLane(Value *vector, Value *element, Value *lane);
  Value *forEachLane(unsigned part, Scalars vectors, llvm::Type *result,
                     LaneFunction function);
  Value *repeatForLanes(llvm::Instruction &instruction, unsigned part);
  bool emitReducedAtomic(llvm::AtomicRMWInst &atomic, unsigned from,
                         unsigned to);

  // Simdgroup.cpp
  unsigned partsOfSimdgroup() const { return 32 / options.partLanes; }
  bool emitSimdgroup(llvm::CallInst &call, Intrinsic id, PartValues &result,
                     unsigned from, unsigned to);
  Value *reduce(llvm::CallInst &call, Intrinsic id, unsigned part);
  void scan(llvm::CallInst &call, Intrinsic id, PartValues &result,
            unsigned part);
  Value *ballot(llvm::CallInst &call, unsigned part);
  Value *shuffleUniform(llvm::CallInst &call, unsigned part);
  Value *shuffle(llvm::CallInst &call, unsigned part);
  /// `count` elements of a vector, from `first` on.
  struct RepeatedElements {
    unsigned first, count;
  };
  static std::optional<RepeatedElements> repeated(llvm::ArrayRef<int> order);
  Value *broadcast(Value *source, const RepeatedElements &elements);
  bool isBroadcastOften(const Value &data) const;
  Value *shuffleByTable(llvm::CallInst &call, llvm::ArrayRef<int> lanes,
                        unsigned part);

  // CheckIndex.cpp
  void emitCheck(llvm::CallInst &call, unsigned from, unsigned to);
  void checkParts(llvm::CallInst &call, Scalars conditions, unsigned from);
  Block *faultBlock();

  // ControlFlow.cpp
  void emitBlocks(BlockMap &map, Block *entry, Block *stop);
  void emitTerminator(BlockMap &map, Block *block,
                      llvm::function_ref<void(Block *)> push);
  void emitUniformBranch(BlockMap &map, llvm::BranchInst &branch);
  void emitDivergentBranch(llvm::BranchInst &branch, Block *join,
                           Block *newJoin);
  void emitSideAllOn(llvm::BranchInst &branch, unsigned side,
                     const PartValues &mask, Block *join, Block *newJoin);
  void emitSideMasked(llvm::BranchInst &branch, unsigned side,
                      const PartValues &mask, Block *join);
  void emitEdge(Block *from, Block *to, const PartValues &mask);
  bool openJoin(Block *join);
  PartValues &slotsOf(llvm::PHINode &phi);
  Block *mapped(BlockMap &map, Block *block);
  bool mayEmitAllOn() const;

  // Loops.cpp
  void emitDivergentLoop(const llvm::Loop &loop, Block *preheader, Block *exit);
  void emitLoopVersion(Block *start);
  void emitLatch(llvm::BranchInst &branch);

  llvm::Function &region;
  EntryMask entryMask;
  const RegionOptions &options;
  const ShapeAnalysis &shapes;
  const AccessGroups &groups;
  const Walks &walks;
  const Streams &streams;
  const RowWalks &rowWalks;
  const llvm::DataLayout &layout;
  const unsigned lanes; ///< Of a part.
  const unsigned parts;

  llvm::Function *body = nullptr;
  llvm::IRBuilder<llvm::InstSimplifyFolder> b;
  TargetAbilities abilities;
  std::optional<FloatOperations> floats;
  std::optional<BodyLocations> locations;
  std::optional<Error> error;

  Block *entry = nullptr; ///< Holds the allocas.
  llvm::DenseMap<const Value *, PartValues> values;
  llvm::DenseMap<const llvm::PHINode *, PartValues> slots;
  std::vector<llvm::AllocaInst *> promotable;
  /// Blocks at which lanes of different paths are meeting.
  llvm::SmallPtrSet<const Block *, 8> openJoins;
  PartValues mask; ///< Empty: all lanes are on.
  LoopState loop;
  unsigned currentPart = 0; ///< Of the vector operation being emitted.
  unsigned allOnDepth = 0;
  unsigned emitted = 0; ///< Instructions times parts so far.
  unsigned spread = 0;  ///< Instructions that access memory lane by lane.
  bool tooLarge = false;

  /// Elements of a group's wide loads in this block: by group and part.
  std::map<std::pair<const AccessGroup *, unsigned>, PartValues> loadedGroups;
  /// Vectors of this block from which elements are broadcast: the memory in
  /// which they are, and what was loaded.
  llvm::DenseMap<Value *, llvm::AllocaInst *> broadcastSources;
  std::map<std::tuple<Value *, unsigned, unsigned>, Value *> broadcasts;
  std::vector<llvm::AllocaInst *> broadcastMemory;
  llvm::DenseMap<const llvm::LoadInst *, RowBlocks> rowBlocks;
  std::map<std::pair<llvm::Type *, unsigned>, llvm::AllocaInst *> laneMemories;
  llvm::AllocaInst *dummySlot = nullptr, *dummyBlock = nullptr;
  Block *fault = nullptr;
  llvm::SmallVector<llvm::AllocaInst *, 4> faultSlots;
};

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_EMIT_EMITTER_H
