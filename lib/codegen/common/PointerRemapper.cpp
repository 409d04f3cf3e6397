//===- PointerRemapper.cpp - Types with pointers of other spaces ----------===//
#include "codegen/common/PointerRemapper.h"

using namespace llvm;
using namespace bessemer::codegen;

Type *PointerRemapper::remapType(Type *type) {
  LLVMContext &context = type->getContext();
  if (auto *pointer = dyn_cast<PointerType>(type))
    return PointerType::get(context, remapSpace(pointer->getAddressSpace()));
  if (auto *array = dyn_cast<ArrayType>(type))
    return ArrayType::get(remapType(array->getElementType()),
                          array->getNumElements());
  if (auto *vector = dyn_cast<VectorType>(type))
    return VectorType::get(remapType(vector->getElementType()),
                           vector->getElementCount());
  if (auto *function = dyn_cast<FunctionType>(type))
    return FunctionType::get(remapType(function->getReturnType()),
                             remapAll(function->params()),
                             function->isVarArg());
  // A pointer has one size in all spaces, so only the pointee-less types
  // differ and a struct without pointers keeps its identity.
  if (auto *structure = dyn_cast<StructType>(type)) {
    SmallVector<Type *> elements = remapAll(structure->elements());
    if (ArrayRef<Type *>(elements) == structure->elements())
      return type;
    return StructType::get(context, elements, structure->isPacked());
  }
  return type;
}

SmallVector<Type *> PointerRemapper::remapAll(ArrayRef<Type *> types) {
  SmallVector<Type *> result;
  for (Type *type : types)
    result.push_back(remapType(type));
  return result;
}
