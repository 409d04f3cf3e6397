//===- Control.cpp - Frames, branches and returns -------------------------===//
#include "codegen/interp/Pointer.h"
#include "codegen/interp/Thread.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Support/Alignment.h"

#include <cstring>

using namespace bessemer;
using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

/// Alignment of a frame's memory; no Metal type has a larger one.
static constexpr uint64_t frameAlignment = 128;

bool Thread::enter(const llvm::Function &function,
                   std::vector<Leaves> arguments) {
  if (frames.size() >= machine.options.callDepthLimit)
    return fail("calls nest deeper than " +
                std::to_string(machine.options.callDepthLimit));
  const Code &code = machine.codeOf(function);
  if (machine.failed())
    return false;
  Frame frame;
  frame.code = &code;
  frame.block = &code.blocks.front();
  frame.values = std::move(arguments);
  frame.values.resize(code.slots);
  frame.iterations.resize(code.order.loopCount());
  frame.firstVariable = variables.size();
  uint64_t bytes = code.frameBytes + frameAlignment;
  frame.memory.reset(new uint8_t[bytes]);
  std::memset(frame.memory.get(), uninitialisedByte, bytes);
  auto *base = reinterpret_cast<uint8_t *>(
      alignAddr(frame.memory.get(), Align(frameAlignment)));
  for (const Variable &variable : code.variables)
    variables.push_back({"variable '" + variable.instruction->getName().str() +
                             "' of '" + function.getName().str() + "'",
                         base + variable.offset, variable.bytes});
  if (variables.size() > firstPrivateTag)
    return fail("more than 32768 variables on the stack of one thread");
  frames.push_back(std::move(frame));
  return true;
}

bool Thread::leave(Leaves result) {
  variables.resize(frames.back().firstVariable);
  frames.pop_back();
  if (frames.empty())
    theState = State::Finished;
  else
    define(frames.back().block->steps[step()], std::move(result));
  return true;
}

bool Thread::branch(const BasicBlock *target) {
  Frame &frame = frames.back();
  const BasicBlock *from = frame.block->block;
  frame.code->order.enter(from, target, frame.iterations);
  frame.block = &frame.code->blockOf(target);
  frame.step = 0;
  // All phis read the values from before the branch.
  SmallVector<Leaves, 8> incoming;
  for (const PHINode &phi : target->phis()) {
    unsigned operand = phi.getBasicBlockIndex(from);
    incoming.push_back(
        operandValue(frame.block->steps[incoming.size()].operands[operand]));
  }
  for (Leaves &value : incoming)
    define(frame.block->steps[frame.step], std::move(value));
  return true;
}

bool Thread::executeTerminator(const Step &step) {
  const Instruction &instruction = *step.instruction;
  switch (instruction.getOpcode()) {
  case Instruction::Ret:
    return leave(step.operands.empty() ? Leaves() : operand(step, 0));
  case Instruction::Br: {
    auto &jump = cast<BranchInst>(instruction);
    bool isElse = jump.isConditional() && operand(step, 0)[0].isZero();
    return branch(jump.getSuccessor(isElse));
  }
  case Instruction::Switch:
    return executeSwitch(step);
  case Instruction::Unreachable:
    return fail("control reaches a point that the compiler was told it never "
                "reaches");
  default:
    return executeUnsupported(step);
  }
}

bool Thread::executeSwitch(const Step &step) {
  auto &choice = cast<SwitchInst>(*step.instruction);
  const Bits &condition = operand(step, 0)[0];
  for (auto &choiceCase : choice.cases())
    if (choiceCase.getCaseValue()->getValue() == condition)
      return branch(choiceCase.getCaseSuccessor());
  return branch(choice.getDefaultDest());
}

bool Thread::executeAlloca(const Step &step) {
  const Frame &frame = frames.back();
  size_t index = frame.firstVariable;
  for (const Variable &variable : frame.code->variables) {
    if (variable.instruction == step.instruction) {
      uint64_t address = reinterpret_cast<uintptr_t>(variables[index].base);
      define(step, {Bits(64, makePointer(firstPrivateTag + index, address))});
      return true;
    }
    ++index;
  }
  return fail("a variable whose size is not a constant",
              ErrorKind::Unsupported);
}
