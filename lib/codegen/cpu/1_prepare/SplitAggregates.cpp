//===- SplitAggregates.cpp - Structs and arrays as their elements ---------===//
//
// Lanes hold scalars. Values of struct and array type come from helpers that
// return them and from the optimiser, which builds phis of them; they become
// one value an element. What is left are the results of instructions that have
// no other form (compare-exchange, arithmetic with overflow), taken apart where
// they are made, so that no such value lives across a barrier.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/1_prepare/SplitAggregates.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// One scalar inside an aggregate.
struct Leaf {
  SmallVector<unsigned, 4> path;
  Type *type = nullptr;
  uint64_t offset = 0;
};

class Splitter {
public:
  explicit Splitter(Function &function)
      : function(function), layout(function.getDataLayout()) {}

  bool run();

private:
  void addLeaves(Type *type, uint64_t offset, SmallVectorImpl<unsigned> &path);
  void setLeaves(Type *type) {
    SmallVector<unsigned, 4> path;
    leaves.clear();
    addLeaves(type, 0, path);
  }
  Value *join(IRBuilder<> &builder, Type *type, ArrayRef<Value *> parts);

  bool split(Instruction &instruction);
  void splitPhi(PHINode &phi);
  Value *splitSelect(SelectInst &select, IRBuilder<> &builder);
  Value *splitFreeze(FreezeInst &freeze, IRBuilder<> &builder);
  Value *splitLoad(LoadInst &load, IRBuilder<> &builder);
  void splitStore(StoreInst &store, IRBuilder<> &builder);

  bool simplifyExtracts();

  Function &function;
  const DataLayout &layout;
  SmallVector<Leaf> leaves; ///< Of the type at hand.
};

void Splitter::addLeaves(Type *type, uint64_t offset,
                         SmallVectorImpl<unsigned> &path) {
  if (!type->isAggregateType()) {
    leaves.push_back({{path.begin(), path.end()}, type, offset});
    return;
  }
  auto *structure = dyn_cast<StructType>(type);
  uint64_t count = structure ? structure->getNumElements()
                             : cast<ArrayType>(type)->getNumElements();
  for (unsigned i = 0; i < count; ++i) {
    Type *element = structure ? structure->getElementType(i)
                              : cast<ArrayType>(type)->getElementType();
    uint64_t at = structure
                      ? layout.getStructLayout(structure)->getElementOffset(i)
                      : i * layout.getTypeAllocSize(element).getFixedValue();
    path.push_back(i);
    addLeaves(element, offset + at, path);
    path.pop_back();
  }
}

Value *Splitter::join(IRBuilder<> &builder, Type *type,
                      ArrayRef<Value *> parts) {
  Value *result = PoisonValue::get(type);
  for (auto [leaf, part] : zip_equal(leaves, parts))
    result = builder.CreateInsertValue(result, part, leaf.path);
  return result;
}

void Splitter::splitPhi(PHINode &phi) {
  SmallVector<Value *> parts;
  for (const Leaf &leaf : leaves) {
    PHINode *part = PHINode::Create(leaf.type, phi.getNumIncomingValues(),
                                    phi.getName(), phi.getIterator());
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      BasicBlock *from = phi.getIncomingBlock(i);
      // The same value for every edge from one block.
      int known = part->getBasicBlockIndex(from);
      IRBuilder<> builder(from->getTerminator());
      part->addIncoming(known >= 0 ? part->getIncomingValue(known)
                                   : builder.CreateExtractValue(
                                         phi.getIncomingValue(i), leaf.path),
                        from);
    }
    parts.push_back(part);
  }
  IRBuilder<> builder(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  phi.replaceAllUsesWith(join(builder, phi.getType(), parts));
}

Value *Splitter::splitSelect(SelectInst &select, IRBuilder<> &builder) {
  SmallVector<Value *> parts;
  for (const Leaf &leaf : leaves)
    parts.push_back(builder.CreateSelect(
        select.getCondition(),
        builder.CreateExtractValue(select.getTrueValue(), leaf.path),
        builder.CreateExtractValue(select.getFalseValue(), leaf.path)));
  return join(builder, select.getType(), parts);
}

Value *Splitter::splitFreeze(FreezeInst &freeze, IRBuilder<> &builder) {
  SmallVector<Value *> parts;
  for (const Leaf &leaf : leaves)
    parts.push_back(builder.CreateFreeze(
        builder.CreateExtractValue(freeze.getOperand(0), leaf.path)));
  return join(builder, freeze.getType(), parts);
}

Value *Splitter::splitLoad(LoadInst &load, IRBuilder<> &builder) {
  SmallVector<Value *> parts;
  for (const Leaf &leaf : leaves) {
    LoadInst *part = builder.CreateAlignedLoad(
        leaf.type,
        builder.CreatePtrAdd(load.getPointerOperand(),
                             builder.getInt64(leaf.offset)),
        commonAlignment(load.getAlign(), leaf.offset), load.isVolatile());
    part->copyMetadata(load, {LLVMContext::MD_invariant_load});
    parts.push_back(part);
  }
  return join(builder, load.getType(), parts);
}

void Splitter::splitStore(StoreInst &store, IRBuilder<> &builder) {
  for (const Leaf &leaf : leaves)
    builder.CreateAlignedStore(
        builder.CreateExtractValue(store.getValueOperand(), leaf.path),
        builder.CreatePtrAdd(store.getPointerOperand(),
                             builder.getInt64(leaf.offset)),
        commonAlignment(store.getAlign(), leaf.offset), store.isVolatile());
}

/// True if `instruction` is no longer needed.
bool Splitter::split(Instruction &instruction) {
  auto *store = dyn_cast<StoreInst>(&instruction);
  Type *type =
      store ? store->getValueOperand()->getType() : instruction.getType();
  if (!type->isAggregateType())
    return false;
  setLeaves(type);
  IRBuilder<> builder(&instruction);
  Value *whole = nullptr;
  if (store)
    splitStore(*store, builder);
  else if (auto *phi = dyn_cast<PHINode>(&instruction))
    splitPhi(*phi);
  else if (auto *select = dyn_cast<SelectInst>(&instruction))
    whole = splitSelect(*select, builder);
  else if (auto *freeze = dyn_cast<FreezeInst>(&instruction))
    whole = splitFreeze(*freeze, builder);
  else if (auto *load = dyn_cast<LoadInst>(&instruction))
    whole = splitLoad(*load, builder);
  else
    return false;
  if (whole)
    instruction.replaceAllUsesWith(whole);
  return true;
}

/// Elements of aggregates whose making is in sight; of the others, next to it.
bool Splitter::simplifyExtracts() {
  bool changed = false;
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *extract = dyn_cast<ExtractValueInst>(&instruction);
    if (!extract)
      continue;
    if (Value *element = simplifyInstruction(extract, layout)) {
      extract->replaceAllUsesWith(element);
      extract->eraseFromParent();
      changed = true;
    } else if (auto *whole =
                   dyn_cast<Instruction>(extract->getAggregateOperand());
               whole && whole->getNextNode() != extract) {
      extract->moveBefore(std::next(whole->getIterator()));
      changed = true;
    }
  }
  return changed;
}

bool Splitter::run() {
  SmallVector<Instruction *> whole;
  for (Instruction &instruction : instructions(function))
    whole.push_back(&instruction);
  SmallVector<Instruction *> dead;
  for (Instruction *instruction : whole)
    if (split(*instruction))
      dead.push_back(instruction);
  for (Instruction *instruction : dead)
    instruction->dropAllReferences();
  for (Instruction *instruction : dead)
    instruction->eraseFromParent();
  bool changed = simplifyExtracts() || !dead.empty();
  if (changed)
    for (BasicBlock &block : function)
      for (Instruction &instruction : make_early_inc_range(reverse(block)))
        if (isa<InsertValueInst>(instruction) && instruction.use_empty())
          instruction.eraseFromParent();
  return changed;
}

} // namespace

PreservedAnalyses SplitAggregatesPass::run(Function &function,
                                           FunctionAnalysisManager &) {
  if (!Splitter(function).run())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace bessemer::codegen::cpu
