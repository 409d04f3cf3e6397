//===- Thread.h - One GPU thread as a state machine -------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_INTERP_THREAD_H
#define BESSEMER_CODEGEN_INTERP_THREAD_H

#include "codegen/interp/Machine.h"

#include "llvm/IR/IntrinsicInst.h"

namespace bessemer::codegen::interp {

/// What a thread knows of its threadgroup.
struct GroupShape {
  std::array<uint32_t, 3> position; ///< In the grid of groups.
  std::array<uint32_t, 3> size;     ///< Actual: edge groups are smaller.
  unsigned threads() const { return size[0] * size[1] * size[2]; }
};

struct Frame {
  const Code *code;
  const Block *block;
  unsigned step = 0;
  std::vector<Leaves> values;
  std::vector<uint64_t> iterations;
  std::unique_ptr<uint8_t[]> memory;
  size_t firstVariable; ///< Of its variables among the thread's.
};

class Thread {
public:
  enum class State { Runnable, Waiting, Finished };

  Thread(Machine &machine, const GroupShape &group, unsigned index);

  /// Enters the kernel.
  bool start(const llvm::Function &kernel,
             const std::vector<Leaves> &arguments);
  /// Executes up to the next barrier or cross-lane operation or the end, but
  /// no more than a turn of instructions. False after an error.
  bool run();

  State state() const { return theState; }
  unsigned threadIndex() const { return index; }
  unsigned lane() const { return index % 32; }
  bool isAtBarrier() const;

  /// The call that a waiting thread waits at.
  const Step &waitingStep() const { return frames.back().block->steps[step()]; }
  Leaves operandOfWait(unsigned operand) {
    return operandValue(waitingStep().operands[operand]);
  }
  /// Ends the wait; `result` is the call's value.
  void resume(Leaves result);

  /// Which of two waiting threads is further back; 0 if they are at the same
  /// dynamic instance of the same call.
  static int compare(const Thread &left, const Thread &right);

  /// "file.metal:12" of the instruction about to execute, or of `frame`.
  std::string location() const;
  std::string describe() const;
  bool fail(const std::string &message,
            ErrorKind kind = ErrorKind::InvalidArgument);

private:
  unsigned step() const { return frames.back().step; }
  const Leaves &operandValue(OperandRef operand) const {
    return operand >= 0 ? frames.back().values[operand]
                        : machine.constant(operand);
  }
  const Leaves &operand(const Step &step, unsigned index) const {
    return operandValue(step.operands[index]);
  }
  void define(const Step &step, Leaves value) {
    frames.back().values[step.result] = std::move(value);
    ++frames.back().step;
  }

  bool execute(const Step &step);
  bool executePure(const Step &step);
  bool executeUnsupported(const Step &step);

  // Control.cpp.
  bool enter(const llvm::Function &function, std::vector<Leaves> arguments);
  bool leave(Leaves result);
  bool branch(const llvm::BasicBlock *target);
  bool executeTerminator(const Step &step);
  bool executeSwitch(const Step &step);
  bool executeAlloca(const Step &step);

  // Calls.cpp.
  bool executeCall(const Step &step);
  bool callFunction(const Step &step);
  bool callBuiltin(const Step &step);
  bool callIntrinsic(const Step &step);
  bool checkIndex(const Step &step);
  uint32_t attribute(Builtin::Id id) const;

  // MemoryAccess.cpp.
  uint8_t *access(const Leaves &pointer, uint64_t bytes, bool forWriting,
                  const char *what, const Object **object = nullptr);
  bool executeLoad(const Step &step);
  bool executeStore(const Step &step);
  bool executeAtomicUpdate(const Step &step);
  bool executeCompareExchange(const Step &step);
  bool copyMemory(const Step &step);
  bool fillMemory(const Step &step);

  Machine &machine;
  const GroupShape &group;
  const unsigned index;
  State theState = State::Runnable;
  std::vector<Frame> frames;
  std::vector<Object> variables;
  uint64_t executed = 0;
};

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_THREAD_H
