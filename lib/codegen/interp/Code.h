//===- Code.h - A function, decoded once ------------------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_INTERP_CODE_H
#define BESSEMER_CODEGEN_INTERP_CODE_H

#include "codegen/interp/Builtins.h"
#include "codegen/interp/ProgramOrder.h"

#include "llvm/IR/Function.h"

#include <functional>

namespace llvm {
class AllocaInst;
} // namespace llvm

namespace bessemer::codegen::interp {

/// Where an operand's value is: a slot of the frame if >= 0, else constant
/// ~operand of the machine. Blocks, metadata and called functions have none.
using OperandRef = int;
constexpr OperandRef noOperand = INT32_MIN;

/// One instruction.
struct Step {
  const llvm::Instruction *instruction;
  unsigned result; ///< Its slot in the frame.
  llvm::SmallVector<OperandRef, 4> operands;
  const llvm::Function *callee = nullptr; ///< Of a direct call.
  const Builtin *builtin = nullptr;       ///< If the callee is one.
};

struct Block {
  const llvm::BasicBlock *block;
  std::vector<Step> steps;
};

/// A variable of the frame (an alloca of constant size).
struct Variable {
  const llvm::AllocaInst *instruction;
  uint64_t offset, bytes;
};

struct Code {
  using InternConstant = std::function<OperandRef(const llvm::Constant *)>;
  Code(const llvm::Function &function, const InternConstant &intern);

  const Block &blockOf(const llvm::BasicBlock *block) const {
    return blocks[indices.find(block)->second];
  }

  const llvm::Function &function;
  ProgramOrder order;
  std::vector<Block> blocks;
  unsigned slots = 0;
  std::vector<Variable> variables;
  uint64_t frameBytes = 0;

private:
  void addVariable(const llvm::AllocaInst &instruction);
  Step decode(const llvm::Instruction &instruction,
              const InternConstant &intern) const;

  llvm::DenseMap<const llvm::BasicBlock *, unsigned> indices;
  llvm::DenseMap<const llvm::Value *, unsigned> slotOf;
};

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_CODE_H
