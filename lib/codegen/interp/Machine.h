//===- Machine.h - What all threads of a dispatch share ---------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_INTERP_MACHINE_H
#define BESSEMER_CODEGEN_INTERP_MACHINE_H

#include "codegen/interp/Code.h"
#include "codegen/interp/Interpreter.h"
#include "codegen/interp/Memory.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>

namespace bessemer::codegen::interp {

class Machine {
public:
  Machine(const llvm::Module &module, const KernelInfo &kernel,
          const bsm_launch &launch, const Options &options)
      : module(module), layout(module.getDataLayout()), kernel(kernel),
        launch(launch), options(options) {}

  const llvm::Module &module;
  const llvm::DataLayout &layout;
  const KernelInfo &kernel;
  const bsm_launch &launch;
  const Options options;
  Memory memory;

  /// Makes the objects behind the kernel's arguments and returns the
  /// arguments' values, or nothing after fail().
  std::optional<std::vector<Leaves>> bindArguments();

  const Code &codeOf(const llvm::Function &function);
  const Leaves &constant(OperandRef operand) const {
    return constants[~operand];
  }
  /// The function at an address that a kernel calls, or null.
  const llvm::Function *functionAt(uint64_t pointer) const;

  /// Fills every threadgroup variable with the bytes of uninitialised memory.
  void resetThreadgroupMemory();

  /// Records the first error; always returns false.
  bool fail(ErrorKind kind, const std::string &message);
  bool failed() const { return error.has_value(); }
  Status status() const { return error ? Status(*error) : Status(); }

private:
  // Constants.cpp.
  OperandRef intern(const llvm::Constant *constant);
  Leaves evaluateConstant(const llvm::Constant *constant);
  uint64_t pointerTo(const llvm::GlobalVariable &global);
  uint64_t pointerTo(const llvm::Function &function);
  uint8_t *allocate(uint64_t bytes);

  // Arguments.cpp.
  Leaves bindBuffer(const Argument &argument);
  Leaves bindTensor(const Argument &argument);
  Leaves bindThreadgroupMemory(const Argument &argument);
  void addSlot(unsigned index);

  std::map<const llvm::Function *, std::unique_ptr<Code>> codes;
  std::deque<Leaves> constants; ///< A deque: references stay valid.
  llvm::DenseMap<const llvm::Constant *, OperandRef> constantIndex;
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> globals;
  llvm::DenseMap<const llvm::Function *, uint64_t> functionPointers;
  std::map<uint64_t, const llvm::Function *> functions;
  struct Allocation {
    uint8_t *base;
    uint64_t bytes;
  };
  std::vector<Allocation> threadgroupBlocks;
  std::vector<std::unique_ptr<uint8_t[]>> allocations;
  uint8_t *threadgroupBlock = nullptr;
  std::array<unsigned, BSM_MAX_BUFFERS> slotTags{};
  std::optional<Error> error;
};

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_MACHINE_H
