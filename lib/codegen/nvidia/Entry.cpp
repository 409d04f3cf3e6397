//===- Entry.cpp - A kernel with the launch ABI ---------------------------===//
#include "codegen/nvidia/Attributes.h"
#include "codegen/nvidia/Steps.h"

#include "bessemer/abi/cuda.h"
#include "codegen/common/SourceLine.h"
#include "support/CudaEntry.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>
#include <map>

using namespace llvm;

namespace bessemer::codegen::nvidia {

namespace {

constexpr unsigned deviceSpace = static_cast<unsigned>(AddressSpace::Device);
constexpr unsigned threadgroupSpace =
    static_cast<unsigned>(AddressSpace::Threadgroup);

class EntryBuilder {
public:
  EntryBuilder(Function &kernel, const KernelInfo &info, const Options &options)
      : kernel(kernel), info(info), options(options),
        module(*kernel.getParent()), context(kernel.getContext()),
        forms(cudaParameters(info)) {}

  Result<Function *> run();

private:
  void createEntry();
  void passByValue(unsigned parameter, Type *type, Align align);
  void bindArguments();
  Value *threadgroupMemory(const Argument &argument);
  void leaveIfNoThread(Value *exists);
  void lowerCalls(Attributes &attributes);
  Status checkHelpers();

  Function &kernel;
  const KernelInfo &info;
  const Options &options;
  Module &module;
  LLVMContext &context;
  std::vector<CudaParameter> forms;

  Function *entry = nullptr;
  IRBuilder<> *b = nullptr;
  Value *launch = nullptr;
  GlobalVariable *dynamicMemory = nullptr;
};

} // namespace

/// Bytes as an LLVM type.
static Type *bytes(LLVMContext &context, uint64_t count) {
  return ArrayType::get(Type::getInt8Ty(context), count);
}

void EntryBuilder::passByValue(unsigned parameter, Type *type, Align align) {
  llvm::Argument *argument = entry->getArg(parameter);
  argument->addAttr(Attribute::getWithByValType(context, type));
  argument->addAttr(Attribute::getWithAlignment(context, align));
  argument->addAttr(Attribute::ReadOnly);
  argument->addAttr(Attribute::get(context, "nvvm.grid_constant"));
}

void EntryBuilder::createEntry() {
  Type *generic = PointerType::get(context, 0);
  SmallVector<Type *> types;
  for (CudaParameter form : forms)
    if (form == CudaParameter::Pointer)
      types.push_back(PointerType::get(context, deviceSpace));
    else if (form != CudaParameter::None)
      types.push_back(generic);
  types.push_back(generic);
  entry = Function::Create(
      FunctionType::get(Type::getVoidTy(context), types, false),
      GlobalValue::ExternalLinkage, "", module);
  entry->setCallingConv(CallingConv::PTX_Kernel);
  entry->setDoesNotThrow();
  auto [x, y, z] = options.group;
  if (options.anyShape())
    entry->addFnAttr("nvvm.maxntid",
                     std::to_string(info.maxThreadsPerThreadgroup));
  else
    entry->addFnAttr("nvvm.reqntid", std::to_string(x) + "," +
                                         std::to_string(y) + "," +
                                         std::to_string(z));
  unsigned parameter = 0;
  for (auto [form, argument] : zip(forms, info.arguments)) {
    if (form == CudaParameter::Value)
      passByValue(
          parameter, bytes(context, argument.elementSize),
          Align(llvm::bit_floor(uint64_t(std::max(argument.alignment, 1u)))));
    else if (form == CudaParameter::Descriptor)
      passByValue(parameter, bytes(context, sizeof(bsm_tensor)), Align(8));
    parameter += form != CudaParameter::None;
  }
  passByValue(parameter, bytes(context, sizeof(bsm_cuda_launch)), Align(8));
  launch = entry->getArg(parameter);
  launch->setName("launch");
}

Value *EntryBuilder::threadgroupMemory(const Argument &argument) {
  if (!dynamicMemory) {
    dynamicMemory = new GlobalVariable(
        module, bytes(context, 0), false, GlobalValue::ExternalLinkage, nullptr,
        "bsm_threadgroup_memory", nullptr, GlobalValue::NotThreadLocal,
        threadgroupSpace);
    dynamicMemory->setAlignment(Align(16));
  }
  Value *address = b->CreateConstInBoundsGEP1_64(
      b->getInt8Ty(), launch,
      offsetof(bsm_cuda_launch, threadgroup_offset) + 4 * argument.index);
  LoadInst *offset = b->CreateAlignedLoad(b->getInt32Ty(), address, Align(4));
  offset->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  return b->CreatePtrAdd(dynamicMemory, b->CreateZExt(offset, b->getInt64Ty()));
}

void EntryBuilder::bindArguments() {
  unsigned parameter = 0;
  for (auto [i, form] : enumerate(forms)) {
    llvm::Argument *from = kernel.getArg(i);
    Value *to = form == CudaParameter::None
                    ? threadgroupMemory(info.arguments[i])
                    : entry->getArg(parameter++);
    if (form != CudaParameter::None)
      to->setName(from->getName());
    if (to->getType() != from->getType())
      to = b->CreateAddrSpaceCast(to, from->getType());
    from->replaceAllUsesWith(to);
  }
}

void EntryBuilder::leaveIfNoThread(Value *exists) {
  if (!exists)
    return;
  Instruction *leave = SplitBlockAndInsertIfThen(
      b->CreateNot(exists), b->GetInsertPoint(), /*Unreachable=*/true);
  ReturnInst::Create(context, nullptr, leave->getIterator());
  leave->eraseFromParent();
  b->SetInsertPoint(&*b->GetInsertPoint()); // its block is another one now
}

void EntryBuilder::lowerCalls(Attributes &attributes) {
  std::map<Intrinsic, Value *> values;
  Value *mask = nullptr;
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(*entry))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      calls.push_back(call);
  for (CallInst *call : calls) {
    Intrinsic id = intrinsicOf(call);
    Function *callee = call->getCalledFunction();
    Value *value = nullptr;
    if (intrinsicInfo(id).family == IntrinsicFamily::Attribute) {
      Value *&known = values[id];
      value = known = known ? known : attributes.get(id);
    } else if (callee && callee->getName() == entryMaskFunction) {
      value = mask = mask ? mask : attributes.entryMask();
    } else {
      continue;
    }
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

/// Recursive helpers have no launch: what depends on it cannot be in them.
Status EntryBuilder::checkHelpers() {
  for (Function &helper : module) {
    if (helper.isDeclaration() || &helper == entry)
      continue;
    for (Instruction &instruction :
         make_early_inc_range(instructions(helper))) {
      Intrinsic id = intrinsicOf(&instruction);
      auto *call = dyn_cast<CallInst>(&instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      llvm::Intrinsic::ID replacement = llvm::Intrinsic::not_intrinsic;
      if (id == Intrinsic::ThreadIndexInSimdgroup)
        replacement = llvm::Intrinsic::nvvm_read_ptx_sreg_laneid;
      else if (callee && callee->getName() == entryMaskFunction)
        replacement = llvm::Intrinsic::nvvm_activemask;
      else if (intrinsicInfo(id).family == IntrinsicFamily::Attribute ||
               id == Intrinsic::CheckIndex)
        return makeError(
            ErrorKind::Unsupported,
            atSourceLine(instruction) + "kernel '" + info.name +
                "': a recursive function uses a thread attribute or a tensor; "
                "on NVIDIA GPUs pass it the value instead");
      if (replacement == llvm::Intrinsic::not_intrinsic)
        continue;
      IRBuilder<> builder(call);
      call->replaceAllUsesWith(
          builder.CreateIntrinsic(replacement, ArrayRef<Value *>()));
      call->eraseFromParent();
    }
  }
  return {};
}

/// Static allocas stay in the first block, the kernel's code goes to a second
/// one. Returns the branch between them.
static Instruction *separatePrologue(Function &entry) {
  BasicBlock &first = entry.getEntryBlock();
  BasicBlock::iterator end = first.begin();
  for (Instruction &instruction : make_early_inc_range(first)) {
    auto *alloca = dyn_cast<AllocaInst>(&instruction);
    if (!alloca || !isa<ConstantInt>(alloca->getArraySize()))
      continue;
    if (alloca->getIterator() == end)
      ++end;
    else
      alloca->moveBefore(end);
  }
  first.splitBasicBlock(end, "body");
  return first.getTerminator();
}

Result<Function *> EntryBuilder::run() {
  createEntry();
  entry->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  entry->splice(entry->begin(), &kernel);
  IRBuilder<> builder(separatePrologue(*entry));
  b = &builder;
  bindArguments();
  Attributes attributes(builder, launch, options);
  leaveIfNoThread(attributes.exists());
  lowerCalls(attributes);
  kernel.eraseFromParent();
  entry->setName(cudaEntryName(info.name));
  if (Status status = checkHelpers(); !status)
    return status.error();
  return entry;
}

Result<Function *> makeEntry(Function &kernel, const KernelInfo &info,
                             const Options &options) {
  return EntryBuilder(kernel, info, options).run();
}

} // namespace bessemer::codegen::nvidia
