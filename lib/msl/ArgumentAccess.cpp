//===- ArgumentAccess.cpp - Which arguments a kernel reads and writes -----===//
//
// Declarations do not tell: the tensor parameters of a program's kernel are all
// writable. So the uses of each argument are followed, in a copy of the module
// in which every call is inlined and variables are values again. What cannot be
// followed (a pointer that is kept in memory, an integer made of one) counts as
// read and written.
//
//===----------------------------------------------------------------------===//
#include "msl/KernelIR.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace bessemer;

namespace {
/// Follows one argument from pointer to pointer.
class AccessFinder {
public:
  AccessFinder(const llvm::Value &argument, bool isDescriptor) {
    pointers.insert({&argument, isDescriptor});
  }
  Access run();

private:
  using Pointer = llvm::PointerIntPair<const llvm::Value *, 1, bool>;

  void visit(const llvm::Use &use, bool isDescriptor);
  void visitCall(const llvm::CallBase &call, const llvm::Use &use);
  void loseTrack() { isRead = isWritten = true; }

  /// Pointers into the argument's memory, or into a tensor's descriptor.
  llvm::SmallSetVector<Pointer, 16> pointers;
  bool isRead = false, isWritten = false;
};
} // namespace

Access AccessFinder::run() {
  for (size_t i = 0; i < pointers.size() && !(isRead && isWritten); ++i) {
    Pointer pointer = pointers[i];
    for (const llvm::Use &use : pointer.getPointer()->uses())
      visit(use, pointer.getInt());
  }
  return !isWritten ? Access::Read : isRead ? Access::ReadWrite : Access::Write;
}

void AccessFinder::visit(const llvm::Use &use, bool isDescriptor) {
  const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  if (llvm::isa<llvm::GetElementPtrInst, llvm::BitCastInst,
                llvm::AddrSpaceCastInst, llvm::PHINode, llvm::SelectInst,
                llvm::FreezeInst>(user)) {
    pointers.insert({user, isDescriptor});
  } else if (llvm::isa<llvm::LoadInst>(user)) {
    isRead |= !isDescriptor;
    // From a descriptor: the address of the tensor's elements.
    if (user->getType()->isPtrOrPtrVectorTy())
      pointers.insert({user, false});
  } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
    if (use.getOperandNo() == store->getPointerOperandIndex())
      isWritten = true;
    else
      loseTrack();
  } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user)) {
    visitCall(*call, use);
  } else if (!llvm::isa<llvm::ICmpInst>(user)) {
    loseTrack();
  }
}

void AccessFinder::visitCall(const llvm::CallBase &call, const llvm::Use &use) {
  const llvm::Function *callee = call.getCalledFunction();
  // It looks at the descriptor alone.
  bool isCheck = callee && callee->getName() == "bsm.check_index";
  if (isCheck || call.isLifetimeStartOrEnd() ||
      llvm::isa<llvm::AssumeInst>(call))
    return;
  if (llvm::isa<llvm::AnyMemTransferInst, llvm::AnyMemSetInst>(call))
    (use.getOperandNo() == 0 ? isWritten : isRead) = true;
  else if (call.isArgOperand(&use) &&
           call.onlyReadsMemory(call.getArgOperandNo(&use)))
    isRead = true;
  else
    loseTrack();
}

/// A copy of the module in which kernels call nothing of their own.
static std::unique_ptr<llvm::Module> inlined(const llvm::Module &module) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  llvm::StripDebugInfo(*copy);
  for (llvm::Function &function : *copy) {
    if (function.isDeclaration())
      continue;
    if (!function.hasFnAttribute(msl::kernelAttribute))
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    // Variables become values if they stand in the first block; a kernel's
    // begins with its attributes.
    else if (llvm::BasicBlock *next = function.front().getSingleSuccessor())
      llvm::MergeBlockIntoPredecessor(next);
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(
      llvm::SROAPass(llvm::SROAOptions::PreserveCFG)));
  passes.run(*copy, modules);
  return copy;
}

void msl::findArgumentAccess(const llvm::Module &module,
                             llvm::MutableArrayRef<KernelInfo> kernels) {
  std::unique_ptr<llvm::Module> copy = inlined(module);
  for (KernelInfo &kernel : kernels) {
    const llvm::Function *entry = copy->getFunction(kernel.symbol);
    for (auto [i, argument] : llvm::enumerate(kernel.arguments))
      if (entry && i < entry->arg_size() && argument.access != Access::Read)
        argument.access = AccessFinder(*entry->getArg(i),
                                       argument.kind == ArgumentKind::Tensor)
                              .run();
  }
}
