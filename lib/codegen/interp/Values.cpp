//===- Values.cpp - First-class values of kernel IR -----------------------===//
#include "codegen/interp/Values.h"

#include "llvm/IR/DerivedTypes.h"

using namespace bessemer::codegen;
using namespace llvm;

unsigned interp::leafCount(Type *type) {
  if (type->isVoidTy())
    return 0;
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements();
  if (auto *array = dyn_cast<ArrayType>(type))
    return array->getNumElements() * leafCount(array->getElementType());
  if (auto *record = dyn_cast<StructType>(type)) {
    unsigned count = 0;
    for (Type *member : record->elements())
      count += leafCount(member);
    return count;
  }
  return 1;
}

unsigned interp::leafIndex(Type *type, ArrayRef<unsigned> indices) {
  unsigned leaf = 0;
  for (unsigned index : indices) {
    if (auto *array = dyn_cast<ArrayType>(type)) {
      leaf += index * leafCount(array->getElementType());
      type = array->getElementType();
      continue;
    }
    auto *record = cast<StructType>(type);
    for (unsigned i = 0; i < index; ++i)
      leaf += leafCount(record->getElementType(i));
    type = record->getElementType(index);
  }
  return leaf;
}

unsigned interp::leafWidth(Type *scalar) {
  return scalar->isPointerTy() ? 64 : scalar->getPrimitiveSizeInBits();
}

static void appendZero(Type *type, interp::Leaves &value) {
  if (auto *array = dyn_cast<ArrayType>(type)) {
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      appendZero(array->getElementType(), value);
  } else if (auto *record = dyn_cast<StructType>(type)) {
    for (Type *member : record->elements())
      appendZero(member, value);
  } else if (!type->isVoidTy()) {
    value.append(interp::leafCount(type),
                 interp::Bits(interp::leafWidth(type->getScalarType()), 0));
  }
}

interp::Leaves interp::zeroValue(Type *type) {
  interp::Leaves value;
  appendZero(type, value);
  return value;
}

APFloat interp::toFloat(const Bits &bits, Type *type) {
  return APFloat(type->getFltSemantics(), bits);
}

interp::Bits interp::roundToBits(APFloat value, Type *type) {
  bool losesInfo;
  value.convert(type->getFltSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.bitcastToAPInt();
}
