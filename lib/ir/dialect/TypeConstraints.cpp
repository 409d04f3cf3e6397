//===- TypeConstraints.cpp - Which types the ops accept -------------------===//
#include "ir/dialect/CoreAIX.h"

using namespace bessemer;
using namespace mlir;

/// The element type of a ranked tensor; null otherwise.
static Type elementOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : Type();
}

static bool hasRank(Type type, int64_t rank) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == rank;
}

static bool isBool(Type element) { return element && element.isInteger(1); }

/// Signed or unsigned: signless integers (but i1) are not of this dialect.
static bool isInteger(Type element) {
  auto integer = dyn_cast_or_null<IntegerType>(element);
  return integer && !integer.isSignless() && integer.getWidth() <= 64;
}

static bool isIndexElement(Type element) {
  return isInteger(element) && element.getIntOrFloatBitWidth() == 32;
}

bool coreai::isCoreAITensor(Type type) {
  Type element = elementOf(type);
  return element && (isa<FloatType, ComplexType, IndexType>(element) ||
                     isBool(element) || isInteger(element));
}

bool coreai::isIndexVector(Type type) {
  return hasRank(type, 1) && isIndexElement(elementOf(type)) &&
         cast<RankedTensorType>(type).hasStaticShape();
}

bool coreai::isIndexScalar(Type type) {
  return hasRank(type, 0) && isIndexElement(elementOf(type));
}

bool coreai::isBoolTensor(Type type) { return isBool(elementOf(type)); }

bool coreai::isBoolScalar(Type type) {
  return hasRank(type, 0) && isBoolTensor(type);
}

bool coreai::isFloatTensor(Type type) {
  return isa_and_nonnull<FloatType>(elementOf(type));
}

bool coreai::isIntegerTensor(Type type) { return isInteger(elementOf(type)); }

bool coreai::isNumericTensor(Type type) {
  Type element = elementOf(type);
  return isInteger(element) || isa_and_nonnull<FloatType, IndexType>(element);
}

bool coreai::isComplexTensor(Type type) {
  return isa_and_nonnull<ComplexType>(elementOf(type));
}

bool coreai::isKernelTensor(Type type) {
  Type element = elementOf(type);
  if (!element ||
      !(element.isF16() || element.isBF16() || element.isF32() ||
        (isInteger(element) &&
         llvm::is_contained({8u, 16u, 32u}, element.getIntOrFloatBitWidth()))))
    return false;
  auto constraints = dyn_cast_or_null<coreaix::HwConstraintsAttr>(
      cast<RankedTensorType>(type).getEncoding());
  return constraints &&
         constraints.getAllocation() == coreaix::AllocationType::MTLBuffer;
}

bool coreai::isResultShapeVector(Type type) {
  return isIndexVector(type) && elementOf(type).isUnsignedInteger();
}

bool coreai::isGridVector(Type type) {
  return isResultShapeVector(type) &&
         cast<RankedTensorType>(type).getDimSize(0) == 3;
}
