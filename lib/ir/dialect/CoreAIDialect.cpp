//===- CoreAIDialect.cpp - The coreai dialect -----------------------------===//
#include "ir/dialect/CoreAI.h"
#include "ir/dialect/DialectVersion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

#include "ir/dialect/CoreAIDialect.cpp.inc"
#include "ir/dialect/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/dialect/CoreAIAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/dialect/CoreAITypes.cpp.inc"

void CoreAIDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/dialect/CoreAIAttributes.cpp.inc"
      >();
}

void CoreAIDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/dialect/CoreAITypes.cpp.inc"
      >();
}

void CoreAIDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerProgramOps();
  registerShapeOps();
  registerUnaryOps();
  registerBinaryOps();
  registerBroadcastingOps();
  registerComputeOps();
  registerControlOps();
  addInterfaces<VersionedBytecode>();
}

Operation *CoreAIDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location location) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, location, type, elements);
}
