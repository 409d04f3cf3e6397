//===- Normalise.cpp - Linkage, attributes and debug info of kernel IR ----===//
#include "msl/KernelIR.h"

#include "msl/SourceFiles.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace bessemer;

namespace {
/// Bits of the properties column of Intrinsics.def.
enum IntrinsicProperties : unsigned { Pure = 1, Convergent = 2, Effect = 4 };
} // namespace

static const llvm::StringMap<unsigned> &intrinsicProperties() {
  static const llvm::StringMap<unsigned> table = [] {
    llvm::StringMap<unsigned> result;
#define BSM_INTRINSIC(id, name, type, arguments, uniformity, properties, text) \
  result[name] = properties;
#include "codegen/common/Intrinsics.def"
    return result;
  }();
  return table;
}

/// Attributes of a bsm.* declaration, from the table alone.
static void setIntrinsicAttributes(llvm::Function &function) {
  auto found = intrinsicProperties().find(function.getName());
  if (found == intrinsicProperties().end())
    return;
  llvm::LLVMContext &context = function.getContext();
  llvm::AttrBuilder attributes(context);
  attributes.addAttribute(llvm::Attribute::NoUnwind);
  if (found->second & Pure) {
    attributes.addMemoryAttr(llvm::MemoryEffects::none());
    attributes.addAttribute(llvm::Attribute::WillReturn);
  }
  if (found->second & Convergent)
    attributes.addAttribute(llvm::Attribute::Convergent);
  function.setAttributes(llvm::AttributeList::get(
      context, llvm::AttributeList::FunctionIndex, attributes));
}

/// The calls carry copies of Clang's declaration attributes.
static void clearCallAttributes(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || !call->getCalledFunction() ||
        !call->getCalledFunction()->getName().starts_with("bsm."))
      continue;
    call->setAttributes(llvm::AttributeList());
  }
}

/// Machine and mode attributes that Clang writes on every function.
static void removeClangAttributes(llvm::Function &function) {
  llvm::AttributeMask mask;
  for (llvm::Attribute attribute : function.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute() &&
        !attribute.getKindAsString().starts_with("bsm."))
      mask.addAttribute(attribute.getKindAsString());
  mask.addAttribute(llvm::Attribute::UWTable);
  mask.addAttribute(llvm::Attribute::NoInline);
  mask.addAttribute(llvm::Attribute::OptimizeNone);
  function.removeFnAttrs(mask);
}

/// Whether the function's text is in the built-in headers.
static bool isLibraryFunction(const llvm::Function &function) {
  const llvm::DISubprogram *program = function.getSubprogram();
  if (!program)
    return !function.hasFnAttribute(msl::kernelAttribute);
  llvm::StringRef directory = program->getDirectory();
  llvm::StringRef file = program->getFilename();
  return file.starts_with(msl::headerRoot) ||
         (directory.starts_with(msl::headerRoot));
}

/// Whether `load` reads a tensor descriptor, which no dispatch changes.
static bool readsDescriptor(const llvm::LoadInst &load) {
  const llvm::Value *pointer = load.getPointerOperand();
  while (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer)) {
    auto *type = llvm::dyn_cast<llvm::StructType>(step->getSourceElementType());
    if (type && type->hasName() &&
        type->getName() == "struct.metal::__tensor_descriptor")
      return true;
    pointer = step->getPointerOperand();
  }
  return false;
}

static void markInvariantLoads(llvm::Function &function) {
  llvm::MDNode *nothing = llvm::MDNode::get(function.getContext(), {});
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      if (readsDescriptor(*load))
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, nothing);
}

static void internalise(llvm::GlobalObject &object) {
  object.setLinkage(llvm::GlobalValue::InternalLinkage);
  object.setVisibility(llvm::GlobalValue::DefaultVisibility);
  object.setComdat(nullptr);
  object.setDSOLocal(true);
}

void msl::normaliseFunctions(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) {
      function.setSubprogram(nullptr);
      setIntrinsicAttributes(function);
      continue;
    }
    clearCallAttributes(function);
    removeClangAttributes(function);
    if (function.hasFnAttribute(kernelAttribute))
      continue;
    internalise(function);
    function.setCallingConv(llvm::CallingConv::C);
    if (isLibraryFunction(function)) {
      llvm::stripDebugInfo(function);
      markInvariantLoads(function);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
  for (llvm::GlobalVariable &variable : module.globals())
    if (!variable.isDeclaration() && !variable.getName().starts_with("llvm."))
      internalise(variable);
  for (const char *name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable *used = module.getNamedGlobal(name))
      used->eraseFromParent();
  module.setTargetTriple(llvm::Triple());
  if (llvm::NamedMDNode *identification = module.getNamedMetadata("llvm.ident"))
    identification->eraseFromParent();
}
