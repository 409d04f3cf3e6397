//===- AddressSpaces.cpp - Constant pointers as generic ones --------------===//
#include "codegen/common/PointerRemapper.h"
#include "codegen/nvidia/Steps.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace bessemer::codegen::nvidia {

namespace {

constexpr unsigned constantSpace =
    static_cast<unsigned>(AddressSpace::Constant);
constexpr unsigned deviceSpace = static_cast<unsigned>(AddressSpace::Device);

class ConstantToGeneric : public PointerRemapper {
  unsigned remapSpace(unsigned space) override {
    return space == constantSpace ? 0 : space;
  }
};

/// The whole module, since recursive functions stay beside the kernel.
class Folding {
public:
  explicit Folding(Module &module) : module(module) {}
  Function *run(Function &kernel);

private:
  void markInvariantLoads();
  void mapVariables();
  void mapFunctions();
  void mapIntrinsic(Function &function);
  void mapFunction(Function &function);
  void rewriteBodies();
  void erase();

  Module &module;
  ConstantToGeneric types;
  ValueToValueMapTy map;
  SmallVector<GlobalVariable *> oldVariables;
  SmallVector<Function *> oldFunctions;
};

} // namespace

void Folding::markInvariantLoads() {
  MDNode *empty = MDNode::get(module.getContext(), {});
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load && load->getPointerAddressSpace() == constantSpace)
        load->setMetadata(LLVMContext::MD_invariant_load, empty);
}

void Folding::mapVariables() {
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == constantSpace ||
        types.remapType(variable.getValueType()) != variable.getValueType())
      oldVariables.push_back(&variable);
  // Casts in constant expressions cannot be mapped when what they cast between
  // is gone.
  SmallVector<Constant *> used(oldVariables.begin(), oldVariables.end());
  for (Function &function : module)
    if (!function.isDeclaration())
      convertUsersOfConstantsToInstructions(used, &function);
  for (GlobalVariable *variable : oldVariables) {
    bool isConstant = variable->getAddressSpace() == constantSpace;
    auto *moved = new GlobalVariable(
        module, types.remapType(variable->getValueType()),
        variable->isConstant(), variable->getLinkage(), nullptr, "",
        /*InsertBefore=*/variable, GlobalValue::NotThreadLocal,
        isConstant ? deviceSpace : variable->getAddressSpace());
    moved->copyAttributesFrom(variable);
    moved->takeName(variable);
    map[variable] = isConstant
                        ? ConstantExpr::getAddrSpaceCast(
                              moved, PointerType::get(module.getContext(), 0))
                        : moved;
  }
  for (GlobalVariable *variable : oldVariables)
    if (variable->hasInitializer())
      cast<GlobalVariable>(map[variable]->stripPointerCasts())
          ->setInitializer(
              MapValue(variable->getInitializer(), map, RF_None, &types));
}

void Folding::mapIntrinsic(Function &function) {
  SmallVector<Type *> overloads;
  if (!llvm::Intrinsic::getIntrinsicSignature(&function, overloads))
    return;
  for (Type *&overload : overloads)
    overload = types.remapType(overload);
  map[&function] = llvm::Intrinsic::getOrInsertDeclaration(
      &module, function.getIntrinsicID(), overloads);
}

void Folding::mapFunction(Function &function) {
  auto *type = cast<FunctionType>(types.remapType(function.getFunctionType()));
  Function *moved =
      Function::Create(type, function.getLinkage(), 0, "", &module);
  moved->copyAttributesFrom(&function);
  moved->copyMetadata(&function, 0);
  moved->takeName(&function);
  moved->splice(moved->begin(), &function);
  for (auto [from, to] : zip(function.args(), moved->args())) {
    to.takeName(&from);
    from.mutateType(to.getType());
    from.replaceAllUsesWith(&to);
  }
  function.clearMetadata();
  map[&function] = moved;
}

void Folding::mapFunctions() {
  for (Function &function : module)
    if (types.remapType(function.getFunctionType()) !=
        function.getFunctionType())
      oldFunctions.push_back(&function);
  for (Function *function : oldFunctions)
    if (function->isIntrinsic())
      mapIntrinsic(*function);
    else
      mapFunction(*function);
}

void Folding::rewriteBodies() {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    RemapFunction(function, map,
                  RF_NoModuleLevelChanges | RF_IgnoreMissingLocals, &types);
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction);
      if (!cast || cast->getSrcAddressSpace() != cast->getDestAddressSpace())
        continue;
      cast->replaceAllUsesWith(cast->getPointerOperand());
      cast->eraseFromParent();
    }
  }
}

void Folding::erase() {
  for (Function *function : oldFunctions)
    function->eraseFromParent();
  for (GlobalVariable *variable : oldVariables)
    variable->setInitializer(nullptr);
  for (GlobalVariable *variable : oldVariables) {
    variable->removeDeadConstantUsers();
    variable->eraseFromParent();
  }
}

Function *Folding::run(Function &kernel) {
  markInvariantLoads();
  mapVariables();
  mapFunctions();
  rewriteBodies();
  auto moved = map.find(&kernel);
  Function *result =
      moved == map.end() ? &kernel : cast<Function>(moved->second);
  erase();
  return result;
}

Function *foldConstantSpace(Function &kernel) {
  return Folding(*kernel.getParent()).run(kernel);
}

} // namespace bessemer::codegen::nvidia
