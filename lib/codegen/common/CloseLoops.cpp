//===- CloseLoops.cpp - Loops whose braces mean something -----------------===//

#include "codegen/common/CloseLoops.h"

#include "codegen/common/Counting.h"
#include "codegen/common/Intrinsics.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

using namespace llvm;

namespace bessemer::codegen {

namespace {

using FunctionSet = SmallPtrSet<const Function *, 16>;
using BlockSet = SmallSetVector<BasicBlock *, 16>;

bool isShared(const Instruction &instruction) {
  return instruction.isAtomic() || instruction.isVolatile();
}

bool isCrossLane(const Instruction &instruction) {
  Intrinsic id = intrinsicOf(&instruction);
  return id != Intrinsic::None && !isBarrier(id) &&
         (intrinsicInfo(id).properties & Convergent);
}

using Test = bool (*)(const Instruction &);

/// What speaks for one reason, directly or in functions that are called.
class Evidence {
public:
  Evidence(const Module &module, Test test);

  bool in(const Instruction &instruction) const {
    return test(instruction) || calls(instruction, functions);
  }
  bool in(const BasicBlock &block) const {
    return any_of(block, [&](const Instruction &i) { return in(i); });
  }
  bool in(const Function &function) const {
    return functions.contains(&function);
  }
  /// Whether what `block` does of it, it does whenever it runs: no function
  /// that it calls decides.
  bool isPlain(const BasicBlock &block) const {
    return none_of(block,
                   [&](const Instruction &i) { return calls(i, deciding); });
  }

private:
  static bool calls(const Instruction &instruction, const FunctionSet &set) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && set.contains(call->getCalledFunction());
  }
  bool decides(const Function &function) const;

  Test test;
  FunctionSet functions;
  FunctionSet deciding; ///< Those of them that may do it and may not.
};

/// All of `module` that `belongs` to `set`, which its members can bring about.
void grow(FunctionSet &set, const Module &module,
          function_ref<bool(const Function &)> belongs) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function &function : module)
      if (!set.contains(&function) && belongs(function))
        changed = set.insert(&function).second;
  }
}

Evidence::Evidence(const Module &module, Test test) : test(test) {
  grow(functions, module, [&](const Function &function) {
    return any_of(function, [&](const BasicBlock &block) { return in(block); });
  });
  grow(deciding, module,
       [&](const Function &function) { return decides(function); });
}

bool Evidence::decides(const Function &function) const {
  return functions.contains(&function) &&
         any_of(function, [&](const BasicBlock &block) {
           return in(block) && (&block != &function.front() || !isPlain(block));
         });
}

/// Of a whole module, for the reasons that are asked for.
struct Reasons {
  std::optional<Evidence> waits;
  std::optional<Evidence> lanes;

  bool concern(const Function &function) const {
    return (waits && waits->in(function)) || (lanes && lanes->in(function));
  }
};

/// One loop on the way to a single latch.
class Closing {
public:
  Closing(Function &function, BasicBlock *header)
      : function(function), header(header), builder(function.getContext()) {}

  void run(const Reasons &reasons);

private:
  bool findBody(const Reasons &reasons);
  unsigned reasonsOf(const Reasons &reasons) const;
  void keepValuesInMemory();
  void separateReturns();
  void createLatch(unsigned reasons);
  unsigned numberOf(BasicBlock *target);
  void lead(BasicBlock *from, unsigned successor);

  Function &function;
  BasicBlock *header;
  IRBuilder<> builder;
  /// Where a cross-lane operation sees the lanes that are in the loop, however
  /// the loop is compiled.
  BlockSet steady;
  BlockSet body; ///< What stands in the loop's braces.
  BasicBlock *behind = nullptr;
  BasicBlock *latch = nullptr;
  AllocaInst *next = nullptr; ///< Number of the latch's successor.
  MapVector<BasicBlock *, unsigned> targets; ///< The header is number 0.
};

/// Whether Clang made `block` for part `part` of a loop statement like the one
/// that `header` begins: it calls them `while.body`, `for.end7` and so on.
bool isPart(const BasicBlock &block, const BasicBlock &header, StringRef part) {
  StringRef statement = header.getName().split('.').first;
  StringRef name = block.getName();
  return name.consume_front(statement) && name.consume_front(".") &&
         name.rtrim("0123456789") == part;
}

/// The first block behind `block` that stands behind the loop as well, if there
/// is one. Lines would not tell: all of a macro is at one place.
BasicBlock *findEnd(BasicBlock *header, BasicBlock *block) {
  if (!header->getName().contains('.'))
    return block->getNextNode();
  unsigned inside = 0; // loops in the same braces
  while ((block = block->getNextNode())) {
    if (isPart(*block, *header, "body"))
      ++inside;
    else if (isPart(*block, *header, "end") && inside-- == 0)
      break;
  }
  return block;
}

/// Clang places the blocks of a loop in order: those that repeat it, then some
/// that do not, as with `while (true) { if (a) continue; ...; break; }`, then
/// what is behind it.
bool Closing::findBody(const Reasons &reasons) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  Loop *loop = loops.getLoopFor(header);
  if (!loop || loop->getHeader() != header)
    return false;
  body.insert_range(loop->blocks());
  auto crossesLanes = [&](const Instruction &instruction) {
    return reasons.lanes && reasons.lanes->in(instruction);
  };
  Counting counting(*loop, dominators, crossesLanes);
  bool isCounted = reasons.lanes && counting.test();
  for (BasicBlock *block : loop->blocks())
    if (isCounted || (counting.isInEveryStep(block) && reasons.lanes &&
                      reasons.lanes->isPlain(*block)))
      steady.insert(block);
  BasicBlock *last = header;
  for (BasicBlock *block = header; block; block = block->getNextNode())
    if (is_contained(successors(block), header) && loop->contains(block))
      last = block;
  behind = findEnd(header, last);
  for (BasicBlock *block = header; block != behind;
       block = block->getNextNode())
    if (dominators.dominates(header, block))
      body.insert(block);
  return true;
}

unsigned Closing::reasonsOf(const Reasons &reasons) const {
  unsigned result = 0;
  for (const BasicBlock *block : body) {
    if (reasons.waits && reasons.waits->in(*block))
      result |= Waits;
    if (reasons.lanes && reasons.lanes->in(*block) &&
        !steady.contains(const_cast<BasicBlock *>(block)))
      result |= Lanes;
  }
  return result;
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

void Closing::createLatch(unsigned reasons) {
  LLVMContext &context = function.getContext();
  latch = BasicBlock::Create(context, "loop.latch", &function, behind);
  builder.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
  next = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "loop.next");
  FunctionCallee reconverge = function.getParent()->getOrInsertFunction(
      reconvergeIntrinsic, builder.getVoidTy(), builder.getInt32Ty());
  auto *callee = cast<Function>(reconverge.getCallee());
  callee->addFnAttr(Attribute::Convergent);
  callee->addFnAttr(Attribute::NoDuplicate);
  callee->addFnAttr(Attribute::NoUnwind);
  callee->addFnAttr(Attribute::WillReturn);
  builder.SetInsertPoint(latch);
  builder.CreateCall(reconverge, builder.getInt32(reasons));
}

unsigned Closing::numberOf(BasicBlock *target) {
  return targets.insert({target, targets.size()}).first->second;
}

/// The edge now leads through the latch.
void Closing::lead(BasicBlock *from, unsigned successor) {
  Instruction *terminator = from->getTerminator();
  unsigned number = numberOf(terminator->getSuccessor(successor));
  auto *edge =
      BasicBlock::Create(function.getContext(), "loop.edge", &function, latch);
  builder.SetInsertPoint(edge);
  builder.CreateStore(builder.getInt32(number), next);
  builder.CreateBr(latch);
  terminator->setSuccessor(successor, edge);
}

void Closing::run(const Reasons &reasons) {
  unsigned found = findBody(reasons) ? reasonsOf(reasons) : 0;
  if (!found)
    return;
  separateReturns();
  keepValuesInMemory();
  createLatch(found);
  numberOf(header);
  for (BasicBlock *block : body)
    for (unsigned i = 0; i < block->getTerminator()->getNumSuccessors(); ++i)
      if (BasicBlock *successor = block->getTerminator()->getSuccessor(i);
          successor == header || !body.contains(successor))
        lead(block, i);
  BasicBlock *leave =
      BasicBlock::Create(function.getContext(), "loop.exit", &function, behind);
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

/// Whether the only write replaces a value by one computed from it.
bool isUpdate(const Loop &loop) {
  if (!hasSingleWrite(loop))
    return false;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        return !loop.isLoopInvariant(exchange->getNewValOperand());
  return false;
}

unsigned reasonsOf(const Instruction &reconvergence) {
  auto *reasons = cast<ConstantInt>(reconvergence.getOperand(0));
  return static_cast<unsigned>(reasons->getZExtValue());
}

/// Those of `reasons` that hold.
unsigned confirmed(unsigned reasons, const Loop &loop,
                   const DominatorTree &dominators) {
  auto crossesLanes = [](const BasicBlock *block) {
    return any_of(*block, isCrossLane);
  };
  if (!any_of(loop.blocks(), crossesLanes))
    reasons &= ~Lanes;
  if ((reasons & Waits) &&
      (hasSingleWrite(loop) || !Waiting(loop, dominators).test()))
    reasons &= ~Waits;
  return reasons;
}

} // namespace

void closeLoops(Module &module, unsigned wanted) {
  Reasons reasons;
  if (wanted & Waits)
    reasons.waits.emplace(module, isShared);
  if (wanted & Lanes)
    reasons.lanes.emplace(module, isCrossLane);
  for (Function &function : module) {
    if (function.isDeclaration() || !reasons.concern(function))
      continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    SmallVector<BasicBlock *> headers;
    for (const Loop *loop : loops.getLoopsInPreorder())
      headers.push_back(loop->getHeader());
    for (BasicBlock *header : reverse(headers)) // inner loops first
      Closing(function, header).run(reasons);
  }
}

void openOtherLoops(Function &kernel) {
  SmallVector<Instruction *> calls = reconvergences(kernel);
  if (calls.empty())
    return;
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  for (Instruction *call : calls) {
    const Loop *loop = loops.getLoopFor(call->getParent());
    unsigned reasons =
        loop ? confirmed(reasonsOf(*call), *loop, dominators) : 0;
    if (reasons)
      call->setOperand(
          0, ConstantInt::get(call->getOperand(0)->getType(), reasons));
    else
      call->eraseFromParent();
  }
}

SmallVector<Instruction *> reconvergences(Function &function) {
  SmallVector<Instruction *> result;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->getCalledFunction() &&
        call->getCalledFunction()->getName() == reconvergeIntrinsic)
      result.push_back(call);
  return result;
}

bool isWaiting(const Instruction &reconvergence) {
  return reasonsOf(reconvergence) & Waits;
}

bool hasLocks(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) {
    return Waiting(*loop, dominators).test() && !isUpdate(*loop);
  });
}

void removeReconvergences(Function &function) {
  for (Instruction *call : reconvergences(function))
    call->eraseFromParent();
}

} // namespace bessemer::codegen
