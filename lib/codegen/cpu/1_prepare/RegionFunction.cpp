//===- RegionFunction.cpp - The kernel with the signature of a region -----===//
//
// The CPU has one address space. The kernel is cloned with every pointer type
// mapped to address space 0 (which drops the casts between them) and with
// threadgroup memory reached through the Threadgroup parameter.
//
//===----------------------------------------------------------------------===//

#include "codegen/common/Intrinsics.h"
#include "codegen/common/LaunchLayout.h"
#include "codegen/common/PointerRemapper.h"
#include "codegen/cpu/1_prepare/Prepare.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

constexpr const char *staticBytesAttribute = "bsm-threadgroup-bytes";

constexpr unsigned constantSpace =
    static_cast<unsigned>(AddressSpace::Constant);
constexpr unsigned threadgroupSpace =
    static_cast<unsigned>(AddressSpace::Threadgroup);

class FoldAddressSpaces : public PointerRemapper {
  unsigned remapSpace(unsigned) override { return 0; }
};

void markInvariantLoads(Function &kernel) {
  MDNode *empty = MDNode::get(kernel.getContext(), {});
  for (Instruction &instruction : instructions(kernel))
    if (auto *load = dyn_cast<LoadInst>(&instruction);
        load && load->getPointerAddressSpace() == constantSpace)
      load->setMetadata(LLVMContext::MD_invariant_load, empty);
}

// Constant expressions cannot be mapped when what they cast between is gone.
void expandConstantUses(Function &kernel) {
  SmallVector<Constant *> variables;
  for (GlobalVariable &variable : kernel.getParent()->globals())
    variables.push_back(&variable);
  convertUsersOfConstantsToInstructions(variables, &kernel);
}

// Functions whose type names an address space need another declaration.
void mapCallees(Function &kernel, ValueToValueMapTy &map,
                FoldAddressSpaces &types) {
  for (Instruction &instruction : instructions(kernel)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || map.count(callee))
      continue;
    auto *type = cast<FunctionType>(types.remapType(callee->getFunctionType()));
    if (type == callee->getFunctionType())
      continue;
    Module &module = *kernel.getParent();
    SmallVector<Type *> overloads;
    if (callee->isIntrinsic() &&
        llvm::Intrinsic::getIntrinsicSignature(callee, overloads)) {
      for (Type *&overload : overloads)
        overload = types.remapType(overload);
      map[callee] = llvm::Intrinsic::getOrInsertDeclaration(
          &module, callee->getIntrinsicID(), overloads);
      continue;
    }
    std::string name = callee->getName().str();
    callee->setName(name + ".spaces");
    Function *folded =
        Function::Create(type, callee->getLinkage(), name, module);
    folded->copyAttributesFrom(callee);
    map[callee] = folded;
  }
}

// The new variables; threadgroup ones are stand-ins that placeThreadgroup
// replaces.
void mapVariables(Module &module, ValueToValueMapTy &map,
                  FoldAddressSpaces &types) {
  SmallVector<GlobalVariable *> old;
  for (GlobalVariable &variable : module.globals())
    old.push_back(&variable);
  for (GlobalVariable *variable : old) {
    auto *folded =
        new GlobalVariable(module, types.remapType(variable->getValueType()),
                           variable->isConstant(), variable->getLinkage(),
                           nullptr, variable->getName());
    folded->copyAttributesFrom(variable);
    map[variable] = folded;
  }
  for (GlobalVariable *variable : old)
    if (variable->hasInitializer() &&
        variable->getAddressSpace() != threadgroupSpace)
      cast<GlobalVariable>(map[variable])
          ->setInitializer(
              MapValue(variable->getInitializer(), map, RF_None, &types));
}

void removeSameSpaceCasts(Function &region) {
  for (Instruction &instruction : make_early_inc_range(instructions(region)))
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction)) {
      cast->replaceAllUsesWith(cast->getPointerOperand());
      cast->eraseFromParent();
    }
}

Value *threadgroupAddress(IRBuilder<> &builder, Function &region,
                          Value *offset) {
  return builder.CreatePtrAdd(
      RegionParameters::get(region, RegionParameters::Threadgroup), offset);
}

// In order of declaration, so that the layout is the same for every caller.
unsigned placeThreadgroupVariables(Function &region,
                                   ArrayRef<GlobalVariable *> variables) {
  const DataLayout &layout = region.getDataLayout();
  IRBuilder<> builder(&*region.getEntryBlock().getFirstInsertionPt());
  uint64_t offset = 0;
  for (GlobalVariable *variable : variables) {
    if (variable->use_empty())
      continue;
    Align align = layout.getValueOrABITypeAlignment(variable->getAlign(),
                                                    variable->getValueType());
    offset = alignTo(offset, std::max(align, Align(16)));
    variable->replaceAllUsesWith(
        threadgroupAddress(builder, region, builder.getInt64(offset)));
    offset += layout.getTypeAllocSize(variable->getValueType());
  }
  return alignTo(offset, 64);
}

void bindThreadgroupArguments(Function &region, const KernelInfo &info) {
  IRBuilder<> builder(&*region.getEntryBlock().getFirstInsertionPt());
  Value *launch = RegionParameters::get(region, RegionParameters::Launch);
  for (auto [number, argument] : enumerate(info.arguments)) {
    if (argument.kind != ArgumentKind::ThreadgroupMemory)
      continue;
    LoadInst *offset = builder.CreateLoad(
        builder.getInt32Ty(),
        builder.CreateConstGEP1_64(builder.getInt8Ty(), launch,
                                   layout::threadgroupOffset(argument.index)));
    offset->setMetadata(LLVMContext::MD_invariant_load,
                        MDNode::get(region.getContext(), {}));
    region.getArg(number)->replaceAllUsesWith(threadgroupAddress(
        builder, region, builder.CreateZExt(offset, builder.getInt64Ty())));
  }
}

Function *createRegion(Function &kernel) {
  static constexpr const char *names[] = {
      "launch",  "threadgroup", "context",  "group.x",  "group.y",
      "group.z", "first",       "actual.x", "actual.y", "actual.z"};
  LLVMContext &context = kernel.getContext();
  SmallVector<Type *> parameters(kernel.arg_size(),
                                 PointerType::get(context, 0));
  parameters.append(3, PointerType::get(context, 0));
  parameters.append(7, Type::getInt32Ty(context));
  Function *region = Function::Create(
      FunctionType::get(Type::getVoidTy(context), parameters, false),
      GlobalValue::InternalLinkage, "", kernel.getParent());
  for (unsigned i = 0; i < RegionParameters::Count; ++i)
    region->getArg(kernel.arg_size() + i)->setName(names[i]);
  return region;
}

// Threadgroup memory must not be noalias while barriers are calls: LLVM would
// conclude that they leave it alone.
void setRegionAttributes(Function &region) {
  for (RegionParameters::Number number :
       {RegionParameters::Threadgroup, RegionParameters::Context})
    RegionParameters::get(region, number)
        ->addAttr(Attribute::getWithAlignment(region.getContext(), Align(64)));
  RegionParameters::get(region, RegionParameters::Context)
      ->addAttr(Attribute::NoAlias);
  llvm::Argument *launch =
      RegionParameters::get(region, RegionParameters::Launch);
  launch->addAttr(Attribute::NoAlias);
  launch->addAttr(Attribute::getWithDereferenceableBytes(region.getContext(),
                                                         layout::launchSize));
  region.addFnAttr(Attribute::NoUnwind);
}

} // namespace

unsigned staticThreadgroupBytes(const Function &region) {
  return region.getFnAttributeAsParsedInteger(staticBytesAttribute);
}

Function *toRegionFunction(Function &kernel, const KernelInfo &info) {
  Module &module = *kernel.getParent();
  markInvariantLoads(kernel);
  expandConstantUses(kernel);
  SmallVector<GlobalVariable *> oldVariables;
  for (GlobalVariable &variable : module.globals())
    oldVariables.push_back(&variable);

  FoldAddressSpaces types;
  ValueToValueMapTy map;
  mapVariables(module, map, types);
  mapCallees(kernel, map, types);
  Function *region = createRegion(kernel);
  for (auto [from, to] : zip(kernel.args(), region->args())) {
    to.setName(from.getName());
    map[&from] = &to;
  }
  SmallVector<ReturnInst *, 4> returns;
  // GlobalChanges: the map holds functions and variables.
  CloneFunctionInto(region, &kernel, map,
                    CloneFunctionChangeType::GlobalChanges, returns, "",
                    nullptr, &types);
  // Cloning has copied the kernel's linkage properties.
  region->setVisibility(GlobalValue::DefaultVisibility);
  region->setDSOLocal(true);
  removeSameSpaceCasts(*region);

  SmallVector<GlobalVariable *> threadgroup;
  for (GlobalVariable *variable : oldVariables)
    if (variable->getAddressSpace() == threadgroupSpace)
      threadgroup.push_back(cast<GlobalVariable>(map[variable]));
  bindThreadgroupArguments(*region, info);
  unsigned bytes = placeThreadgroupVariables(*region, threadgroup);
  setRegionAttributes(*region);
  region->addFnAttr(staticBytesAttribute, std::to_string(bytes));

  std::string name = kernel.getName().str();
  kernel.eraseFromParent();
  region->setName(name);
  for (GlobalVariable *variable : threadgroup)
    variable->eraseFromParent();
  for (GlobalVariable *variable : oldVariables)
    variable->setInitializer(nullptr);
  for (GlobalVariable *variable : oldVariables) {
    variable->removeDeadConstantUsers();
    variable->eraseFromParent();
  }
  return region;
}

} // namespace bessemer::codegen::cpu
