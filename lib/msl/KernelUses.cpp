//===- KernelUses.cpp - What a kernel needs from the machine --------------===//
#include "msl/KernelIR.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace bessemer;

/// Intrinsics that tie a kernel to simdgroups: those over lanes and those with
/// lane or simdgroup numbers.
static const llvm::StringSet<> &simdgroupIntrinsics() {
  static const llvm::StringSet<> names = [] {
    llvm::StringSet<> result;
    enum { Threadgroup, Simdgroup, Never, Pure, Convergent = 8, Effect = 16 };
#define BSM_INTRINSIC(id, name, type, arguments, uniformity, properties, text) \
  if (llvm::StringRef(name).contains("simdgroup") ||                           \
      uniformity == Simdgroup ||                                               \
      ((properties) & (Convergent | Effect)) == Convergent)                    \
    result.insert(name);
#include "codegen/common/Intrinsics.def"
    return result;
  }();
  return names;
}

void msl::findKernelUses(const llvm::Module &module, KernelInfo &kernel) {
  llvm::SmallSetVector<const llvm::Constant *, 16> reached;
  if (const llvm::Function *entry = module.getFunction(kernel.symbol))
    reached.insert(entry);
  for (size_t i = 0; i < reached.size(); ++i) {
    auto visit = [&](const llvm::User &user) {
      for (const llvm::Use &operand : user.operands())
        if (auto *constant = llvm::dyn_cast<llvm::Constant>(operand.get()))
          if (!llvm::isa<llvm::ConstantData>(constant))
            reached.insert(constant);
    };
    visit(*reached[i]);
    if (auto *function = llvm::dyn_cast<llvm::Function>(reached[i]))
      for (const llvm::Instruction &instruction : llvm::instructions(*function))
        visit(instruction);
  }
  const llvm::DataLayout &layout = module.getDataLayout();
  uint64_t bytes = 0;
  for (const llvm::Constant *constant : reached) {
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
      if (variable->getAddressSpace() !=
          static_cast<unsigned>(AddressSpace::Threadgroup))
        continue;
      llvm::Align align = variable->getAlign().valueOrOne();
      bytes = llvm::alignTo(bytes, align) +
              layout.getTypeAllocSize(variable->getValueType());
    } else if (llvm::isa<llvm::Function>(constant)) {
      llvm::StringRef name = constant->getName();
      kernel.usesBarrier |= name == "bsm.threadgroup_barrier";
      kernel.usesSimdgroup |= simdgroupIntrinsics().contains(name);
    }
  }
  kernel.staticThreadgroupMemory = bytes;
}
