//===- SpinLoops.cpp - Loops in which lanes wait for each other -----------===//

#include "codegen/cpu/1_prepare/SpinLoops.h"

#include "codegen/cpu/Region.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

using FunctionSet = SmallPtrSet<const Function *, 16>;
using BlockSet = SmallSetVector<BasicBlock *, 16>;

bool isShared(const Instruction &instruction) {
  return instruction.isAtomic() || instruction.isVolatile();
}

bool mayShare(const Instruction &instruction, const FunctionSet &sharing) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return isShared(instruction) ||
         (call && sharing.contains(call->getCalledFunction()));
}

/// The functions that may reach an atomic or volatile access.
FunctionSet sharingFunctions(const Module &module) {
  FunctionSet result;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function &function : module)
      if (!result.contains(&function) &&
          any_of(instructions(function), [&](const Instruction &instruction) {
            return mayShare(instruction, result);
          }))
        changed = result.insert(&function).second;
  }
  return result;
}

/// One loop on the way to a single latch.
class Closing {
public:
  Closing(Function &function, BasicBlock *header)
      : function(function), header(header), builder(function.getContext()) {}

  void run(const FunctionSet &sharing);

private:
  bool findBody(const FunctionSet &sharing);
  void keepValuesInMemory();
  void separateReturns();
  void createLatch();
  unsigned numberOf(BasicBlock *target);
  void lead(BasicBlock *from, unsigned successor);

  Function &function;
  BasicBlock *header;
  IRBuilder<> builder;
  BlockSet body; ///< What stands in the loop's braces.
  BasicBlock *behind = nullptr;
  BasicBlock *latch = nullptr;
  AllocaInst *next = nullptr; ///< Number of the latch's successor.
  MapVector<BasicBlock *, unsigned> targets; ///< The header is number 0.
};

/// Clang places the blocks of a loop in order, the one that repeats it last.
bool Closing::findBody(const FunctionSet &sharing) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  Loop *loop = loops.getLoopFor(header);
  if (!loop || loop->getHeader() != header)
    return false;
  body.insert_range(loop->blocks());
  auto last = header->getIterator();
  for (auto block = last; block != function.end(); ++block)
    if (is_contained(successors(&*block), header) && loop->contains(&*block))
      last = block;
  behind = &*last == &function.back() ? nullptr : &*std::next(last);
  for (auto block = header->getIterator(); block != std::next(last); ++block)
    if (dominators.dominates(header, &*block))
      body.insert(&*block);
  return any_of(body, [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      return mayShare(instruction, sharing);
    });
  });
}

/// Values that cross the edges that are about to change.
void Closing::keepValuesInMemory() {
  SmallVector<Instruction *> leaving;
  SmallVector<PHINode *> phis;
  BlockSet entered;
  entered.insert(header);
  for (BasicBlock *block : body) {
    for (Instruction &instruction : *block)
      if (any_of(instruction.users(), [&](const User *user) {
            return !body.contains(
                const_cast<BasicBlock *>(cast<Instruction>(user)->getParent()));
          }))
        leaving.push_back(&instruction);
    for (BasicBlock *successor : successors(block))
      if (!body.contains(successor))
        entered.insert(successor);
  }
  for (BasicBlock *block : entered)
    for (PHINode &phi : block->phis())
      phis.push_back(&phi);
  for (Instruction *instruction : leaving)
    if (!is_contained(phis, instruction) && !isa<AllocaInst>(instruction))
      DemoteRegToStack(*instruction);
  for (PHINode *phi : phis)
    DemotePHIToStack(phi);
}

void Closing::separateReturns() {
  for (BasicBlock *block : body)
    if (auto *end = dyn_cast<ReturnInst>(block->getTerminator())) {
      BasicBlock *exit = SplitBlock(block, end->getIterator());
      exit->moveAfter(&function.back());
    }
}

void Closing::createLatch() {
  LLVMContext &context = function.getContext();
  latch = BasicBlock::Create(context, "spin.latch", &function, behind);
  builder.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
  next = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "spin.next");
  FunctionCallee reconverge = function.getParent()->getOrInsertFunction(
      reconvergeIntrinsic, builder.getVoidTy());
  auto *callee = cast<Function>(reconverge.getCallee());
  callee->addFnAttr(Attribute::Convergent);
  callee->addFnAttr(Attribute::NoDuplicate);
  callee->addFnAttr(Attribute::NoUnwind);
  callee->addFnAttr(Attribute::WillReturn);
  builder.SetInsertPoint(latch);
  builder.CreateCall(reconverge);
}

unsigned Closing::numberOf(BasicBlock *target) {
  return targets.insert({target, targets.size()}).first->second;
}

/// The edge now leads through the latch.
void Closing::lead(BasicBlock *from, unsigned successor) {
  Instruction *terminator = from->getTerminator();
  unsigned number = numberOf(terminator->getSuccessor(successor));
  auto *edge =
      BasicBlock::Create(function.getContext(), "spin.edge", &function, latch);
  builder.SetInsertPoint(edge);
  builder.CreateStore(builder.getInt32(number), next);
  builder.CreateBr(latch);
  terminator->setSuccessor(successor, edge);
}

void Closing::run(const FunctionSet &sharing) {
  if (!findBody(sharing))
    return;
  separateReturns();
  keepValuesInMemory();
  createLatch();
  numberOf(header);
  for (BasicBlock *block : body)
    for (unsigned i = 0; i < block->getTerminator()->getNumSuccessors(); ++i)
      if (BasicBlock *successor = block->getTerminator()->getSuccessor(i);
          successor == header || !body.contains(successor))
        lead(block, i);
  BasicBlock *leave =
      BasicBlock::Create(function.getContext(), "spin.exit", &function, behind);
  builder.SetInsertPoint(latch);
  Value *number = builder.CreateLoad(builder.getInt32Ty(), next);
  builder.CreateCondBr(builder.CreateIsNull(number), header, leave);
  builder.SetInsertPoint(leave);
  if (targets.size() == 1) {
    builder.CreateUnreachable();
    return;
  }
  SwitchInst *choice = builder.CreateSwitch(number, targets.back().first);
  for (auto [target, number] :
       ArrayRef(targets.getArrayRef()).slice(1).drop_back())
    choice->addCase(builder.getInt32(number), target);
}

/// Whether the end of a loop is decided by what it reads of shared memory.
class Waiting {
public:
  Waiting(const Loop &loop, const DominatorTree &dominators)
      : loop(loop), dominators(dominators) {}

  bool test();

private:
  void push(const Value *value);
  void pushChoice(const PHINode &phi);

  const Loop &loop;
  const DominatorTree &dominators;
  SmallPtrSet<const Value *, 16> seen;
  SmallVector<const Instruction *> worklist;
};

void Waiting::push(const Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (instruction && loop.contains(instruction) && seen.insert(value).second)
    worklist.push_back(instruction);
}

/// The branches that decide which value a phi takes.
void Waiting::pushChoice(const PHINode &phi) {
  const BasicBlock *join = phi.getParent();
  if (join == loop.getHeader())
    return;
  const BasicBlock *top = dominators.getNode(join)->getIDom()->getBlock();
  SmallPtrSet<const BasicBlock *, 8> reached{join};
  SmallVector<const BasicBlock *> blocks(predecessors(join));
  while (!blocks.empty()) {
    const BasicBlock *block = blocks.pop_back_val();
    if (!reached.insert(block).second)
      continue;
    for (const Value *operand : block->getTerminator()->operands())
      push(operand);
    if (block != top)
      append_range(blocks, predecessors(block));
  }
}

bool Waiting::test() {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  for (const BasicBlock *block : exiting)
    for (const Value *operand : block->getTerminator()->operands())
      push(operand);
  while (!worklist.empty()) {
    const Instruction *instruction = worklist.pop_back_val();
    if (isShared(*instruction))
      return true;
    for (const Value *operand : instruction->operands())
      push(operand);
    if (auto *phi = dyn_cast<PHINode>(instruction))
      pushChoice(*phi);
  }
  return false;
}

/// A loop with a single write waits with it (compare and exchange); there is
/// no other lane's action in it to wait for.
bool hasSingleWrite(const Loop &loop) {
  unsigned writes = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      writes += isa<StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction);
  return writes == 1;
}

} // namespace

void closeSpinLoops(Module &module) {
  FunctionSet sharing = sharingFunctions(module);
  for (Function &function : module) {
    if (function.isDeclaration() || !sharing.contains(&function))
      continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    SmallVector<BasicBlock *> headers;
    for (const Loop *loop : loops.getLoopsInPreorder())
      headers.push_back(loop->getHeader());
    for (BasicBlock *header : reverse(headers)) // inner loops first
      Closing(function, header).run(sharing);
  }
}

void openOtherLoops(Function &kernel) {
  Function *reconverge = kernel.getParent()->getFunction(reconvergeIntrinsic);
  if (!reconverge)
    return;
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  for (User *user : make_early_inc_range(reconverge->users())) {
    auto *call = cast<CallInst>(user);
    const Loop *loop = loops.getLoopFor(call->getParent());
    if (!loop || hasSingleWrite(*loop) || !Waiting(*loop, dominators).test())
      call->eraseFromParent();
  }
}

} // namespace bessemer::codegen::cpu
