//===- ShapeAnalysis.cpp - Shapes of the values of a region ---------------===//

#include "codegen/cpu/4_shapes/ShapeAnalysis.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

std::string sourceLocation(const Instruction &instruction) {
  const DebugLoc &location = instruction.getDebugLoc();
  if (!location)
    return "";
  StringRef file = cast<DIScope>(location.getScope())->getFilename();
  return " (" + file.str() + ":" + std::to_string(location.getLine()) + ")";
}

ShapeAnalysis::ShapeAnalysis(Function &region, const RegionOptions &options,
                             FunctionAnalysisManager &analyses)
    : region(region), options(options),
      uniformity(analyses.getResult<UniformityInfoAnalysis>(region)),
      loops(analyses.getResult<LoopAnalysis>(region)),
      postDominators(analyses.getResult<PostDominatorTreeAnalysis>(region)) {}

Status ShapeAnalysis::run() {
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&region)) {
    numbers[block] = order.size();
    order.push_back(block);
  }
  if (Status status = findDivergence(); !status)
    return status;
  findPrivateMemory();

  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block) {
        if (instruction.getType()->isVoidTy())
          continue;
        Shape shape = uniformity.isDivergent(&instruction)
                          ? transfer(instruction)
                          : uniformShape(&instruction);
        Shape &current = shapes[&instruction];
        changed |= !(current == shape);
        current = std::move(shape);
      }
  }
  for (auto &entry : shapes) // only values of a cycle that nothing enters
    if (entry.second.isUnknown())
      entry.second = Shape::Varying;
  return Status();
}

BasicBlock *ShapeAnalysis::joinOf(const BasicBlock *block) const {
  const auto *node = postDominators.getNode(block);
  return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

Status ShapeAnalysis::findDivergence() {
  for (BasicBlock *block : order) {
    if (!uniformity.hasDivergentTerminator(*block))
      continue;
    for (Loop *loop = loops.getLoopFor(block); loop;
         loop = loop->getParentLoop()) {
      if (!loop->isLoopExiting(block))
        continue;
      BasicBlock *exit = loop->getExitBlock();
      if (!exit || loop->getLoopLatch() != block)
        return makeError(
            ErrorKind::Unsupported,
            "a loop that threads leave at different times could not be "
            "brought into the form of one exit" +
                sourceLocation(*block->getTerminator()));
      divergentLoops.insert(loop);
      joins.insert(exit);
    }
    if (BasicBlock *join = joinOf(block))
      joins.insert(join);
  }
  return Status();
}

const PrivateBlock *ShapeAnalysis::privateBlock(const Value *value) const {
  auto found = privateBlocks.find(value);
  return found == privateBlocks.end() ? nullptr : &found->second;
}

static const CallInst *privateCall(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == privateIntrinsic ? call : nullptr;
}

void ShapeAnalysis::findPrivateMemory() {
  const DataLayout &layout = region.getDataLayout();
  for (Instruction &instruction : instructions(region)) {
    PrivateBlock block;
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
      block.bytes =
          alignTo(variable->getAllocationSize(layout)->getFixedValue(),
                  variable->getAlign());
      block.element = privateElementSize(*variable);
    } else if (const CallInst *call = privateCall(instruction)) {
      auto constant = [call](unsigned index) {
        return cast<ConstantInt>(call->getArgOperand(index))->getZExtValue();
      };
      block.bytes = constant(1);
      block.element = constant(2);
    } else {
      continue;
    }
    privateBlocks[&instruction] = block;
    if (block.element)
      followPrivatePointer(instruction);
  }
}

/// Pointers derived from an interleaved block. Its address goes nowhere else;
/// phis are those of LCSSA.
void ShapeAnalysis::followPrivatePointer(Instruction &root) {
  SmallVector<Value *> worklist{&root};
  while (!worklist.empty()) {
    Value *pointer = worklist.pop_back_val();
    if (!interleaved.insert(pointer).second)
      continue;
    for (User *user : pointer->users())
      if (isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst>(user))
        worklist.push_back(user);
  }
}

Shape ShapeAnalysis::uniformShape(const Value *value) const {
  if (!value->getType()->isIntegerTy())
    return Shape::Uniform;
  unsigned zeros =
      computeKnownBits(value, region.getDataLayout()).countMinTrailingZeros();
  return Shape::uniform(std::min(Shape::maxAlignment, zeros));
}

Shape ShapeAnalysis::of(const Value *value) const {
  if (auto *constant = dyn_cast<ConstantInt>(value)) {
    unsigned zeros = constant->getValue().countr_zero();
    return Shape::uniform(constant->isZero()
                              ? Shape::maxAlignment
                              : std::min(Shape::maxAlignment, zeros));
  }
  if (!isa<Instruction>(value)) // arguments, other constants
    return Shape::Uniform;
  auto found = shapes.find(value);
  return found == shapes.end() ? Shape() : found->second;
}

void ShapeAnalysis::print(raw_ostream &stream) const {
  stream << "shapes of @" << region.getName() << "\n";
  for (BasicBlock *block : order) {
    block->printAsOperand(stream, false);
    stream << ":";
    if (hasDivergentBranch(*block))
      stream << " divergent branch";
    if (isDivergentJoin(block))
      stream << " divergent join";
    stream << "\n";
    for (Instruction &instruction : *block) {
      if (instruction.getType()->isVoidTy())
        continue;
      stream << "  ";
      instruction.printAsOperand(stream, false);
      stream << ": ";
      of(&instruction).print(stream);
      stream << "\n";
    }
  }
}

Status printShapes(Function &region, const RegionOptions &options,
                   FunctionAnalysisManager &analyses, raw_ostream &stream) {
  ShapeAnalysis shapes(region, options, analyses);
  if (Status status = shapes.run(); !status)
    return status;
  shapes.print(stream);
  return Status();
}

} // namespace bessemer::codegen::cpu
