//===- KernelEntries.cpp - Kernel functions in kernel IR's own ABI --------===//
//
// Clang gives a kernel one IR parameter per source parameter: pointers and
// integers directly, classes (vectors, tensors) as a pointer to a copy. The
// entry takes the arguments alone; it makes the copies and computes the thread
// attributes at its top, and continues with the body of Clang's function.
//
//===----------------------------------------------------------------------===//
#include "msl/KernelIR.h"

#include "bessemer/abi/launch.h"
#include "msl/ThreadValues.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace bessemer;
using namespace bessemer::msl;

namespace {

class EntryBuilder {
public:
  EntryBuilder(llvm::Module &module, const KernelRecord &record,
               llvm::Function &body)
      : module(module), record(record), body(body),
        builder(module.getContext()) {}

  void build();

private:
  llvm::Function *createEntry();
  llvm::Value *parameterValue(const KernelParameter &parameter,
                              llvm::Type *type, llvm::Function *entry,
                              unsigned &argument);

  llvm::Module &module;
  const KernelRecord &record;
  llvm::Function &body;
  llvm::IRBuilder<> builder;
};

} // namespace

static llvm::Type *argumentType(llvm::LLVMContext &context,
                                const Argument &argument) {
  AddressSpace space = argument.kind == ArgumentKind::Tensor
                           ? AddressSpace::Constant
                           : argument.space;
  return llvm::PointerType::get(context, static_cast<unsigned>(space));
}

llvm::Function *EntryBuilder::createEntry() {
  llvm::SmallVector<llvm::Type *> types;
  for (const Argument &argument : record.info.arguments)
    types.push_back(argumentType(module.getContext(), argument));
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), types, false);
  auto *entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                       "", module);
  if (llvm::GlobalValue *other = module.getNamedValue(record.info.symbol))
    other->setName(record.info.symbol + ".source");
  entry->setName(record.info.symbol);
  entry->addFnAttr(kernelAttribute);
  entry->setDSOLocal(true);
  for (auto [i, argument] : llvm::enumerate(record.info.arguments)) {
    entry->getArg(i)->setName(argument.name);
    if (argument.kind != ArgumentKind::Tensor)
      continue;
    llvm::AttrBuilder attributes(module.getContext());
    attributes.addAttribute(llvm::Attribute::NoUndef);
    attributes.addAlignmentAttr(alignof(bsm_tensor));
    attributes.addDereferenceableAttr(sizeof(bsm_tensor));
    entry->getArg(i)->addAttrs(attributes);
  }
  return entry;
}

llvm::Value *EntryBuilder::parameterValue(const KernelParameter &parameter,
                                          llvm::Type *type,
                                          llvm::Function *entry,
                                          unsigned &argument) {
  switch (parameter.kind) {
  case KernelParameter::Kind::Thread:
    return emitThreadValue(builder, parameter);
  case KernelParameter::Kind::Absent:
    return llvm::Constant::getNullValue(type);
  case KernelParameter::Kind::Argument:
    return entry->getArg(argument++);
  case KernelParameter::Kind::Tensor:
    break;
  }
  llvm::Argument *descriptor = entry->getArg(argument++);
  llvm::AllocaInst *copy = builder.CreateAlloca(descriptor->getType());
  builder.CreateStore(descriptor, copy);
  return copy;
}

void EntryBuilder::build() {
  llvm::Function *entry = createEntry();
  auto *top =
      llvm::BasicBlock::Create(module.getContext(), "attributes", entry);
  builder.SetInsertPoint(top);
  unsigned argument = 0;
  for (auto [i, parameter] : llvm::enumerate(record.parameters)) {
    llvm::Argument *old = body.getArg(i);
    llvm::Value *value =
        parameterValue(parameter, old->getType(), entry, argument);
    if (parameter.kind == KernelParameter::Kind::Thread)
      value->setName(old->getName());
    old->replaceAllUsesWith(value);
  }
  llvm::BasicBlock *first = &body.getEntryBlock();
  entry->splice(entry->end(), &body);
  builder.CreateBr(first);
  entry->setSubprogram(body.getSubprogram());
  body.eraseFromParent();
}

Status msl::makeKernelEntries(llvm::Module &module,
                              const std::vector<KernelRecord> &kernels) {
  for (const KernelRecord &record : kernels) {
    if (!record.hasCode)
      continue;
    llvm::Function *body = module.getFunction(record.function);
    if (!body || body->isDeclaration() ||
        body->arg_size() != record.parameters.size())
      return makeError(ErrorKind::Internal,
                       "the code of kernel '" + record.info.name +
                           "' does not match its declaration");
    if (!body->use_empty()) {
      llvm::ValueToValueMapTy map;
      body = llvm::CloneFunction(body, map);
    }
    EntryBuilder(module, record, *body).build();
  }
  return {};
}
