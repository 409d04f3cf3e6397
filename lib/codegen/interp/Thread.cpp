//===- Thread.cpp - One GPU thread as a state machine ---------------------===//
#include "codegen/interp/Thread.h"
#include "codegen/interp/Evaluate.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace bessemer;
using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

Thread::Thread(Machine &machine, const GroupShape &group, unsigned index)
    : machine(machine), group(group), index(index) {}

bool Thread::start(const llvm::Function &kernel,
                   const std::vector<Leaves> &arguments) {
  return enter(kernel, arguments);
}

/// Instructions after which a thread lets the others go on: it may wait for
/// what they do.
static constexpr unsigned turn = 1 << 14;

bool Thread::run() {
  theState = State::Runnable;
  for (unsigned i = 0; i < turn && theState == State::Runnable; ++i) {
    if (++executed > machine.options.instructionLimit)
      return fail("gave up after " +
                  std::to_string(machine.options.instructionLimit) +
                  " instructions of one thread; if the kernel is not endless, "
                  "raise BESSEMER_INTERPRETER_LIMIT");
    if (!execute(frames.back().block->steps[step()]))
      return false;
  }
  return true;
}

bool Thread::isAtBarrier() const {
  return theState == State::Waiting && waitingStep().builtin->isBarrier();
}

void Thread::resume(Leaves result) {
  define(waitingStep(), std::move(result));
  theState = State::Runnable;
}

int Thread::compare(const Thread &left, const Thread &right) {
  size_t depth = std::min(left.frames.size(), right.frames.size());
  for (size_t i = 0; i < depth; ++i) {
    const Frame &a = left.frames[i];
    const Frame &b = right.frames[i];
    if (a.code != b.code) // Targets of one indirect call: any fixed order.
      return std::less<>()(a.code, b.code) ? -1 : 1;
    if (int result = a.code->order.compare(a.block->block, a.iterations,
                                           b.block->block, b.iterations))
      return result;
    if (a.step != b.step)
      return a.step < b.step ? -1 : 1;
  }
  return 0;
}

std::string Thread::location() const {
  // A frame of a finished call may stand behind its last instruction.
  for (const Frame &frame : llvm::reverse(frames)) {
    const auto &steps = frame.block->steps;
    const auto &step = steps[std::min<size_t>(frame.step, steps.size() - 1)];
    if (const DILocation *place = step.instruction->getDebugLoc().get())
      return (place->getFilename() + ":" + Twine(place->getLine())).str();
  }
  return "unknown line";
}

std::string Thread::describe() const {
  std::array<uint32_t, 3> position{attribute(Builtin::ThreadPositionInGridX),
                                   attribute(Builtin::ThreadPositionInGridY),
                                   attribute(Builtin::ThreadPositionInGridZ)};
  return "thread (" + std::to_string(position[0]) + ", " +
         std::to_string(position[1]) + ", " + std::to_string(position[2]) + ")";
}

bool Thread::fail(const std::string &message, ErrorKind kind) {
  return machine.fail(kind, location() + ": " + message + ", in " + describe());
}

bool Thread::execute(const Step &step) {
  const Instruction &instruction = *step.instruction;
  if (instruction.isTerminator())
    return executeTerminator(step);
  switch (instruction.getOpcode()) {
  case Instruction::Alloca:
    return executeAlloca(step);
  case Instruction::Load:
    return executeLoad(step);
  case Instruction::Store:
    return executeStore(step);
  case Instruction::AtomicRMW:
    return executeAtomicUpdate(step);
  case Instruction::AtomicCmpXchg:
    return executeCompareExchange(step);
  case Instruction::Fence: // Threads run one after another.
    define(step, {});
    return true;
  case Instruction::Call:
    return executeCall(step);
  default:
    return executePure(step);
  }
}

bool Thread::executePure(const Step &step) {
  SmallVector<const Leaves *, 4> operands;
  for (OperandRef operand : step.operands)
    operands.push_back(&operandValue(operand));
  auto value =
      evaluate(cast<Operator>(*step.instruction), operands, machine.layout);
  if (!value)
    return executeUnsupported(step);
  define(step, std::move(*value));
  return true;
}

bool Thread::executeUnsupported(const Step &step) {
  std::string text;
  raw_string_ostream(text) << *step.instruction;
  return fail("'" + StringRef(text).trim().str() +
                  "' is none that kernel IR may hold",
              ErrorKind::Unsupported);
}
