//===- BinaryOps.cpp - Elementwise ops of equal shapes --------------------===//
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/Builders.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

#define GET_OP_CLASSES
#include "ir/dialect/BinaryOps.cpp.inc"

void CoreAIDialect::registerBinaryOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/dialect/BinaryOps.cpp.inc"
      >();
}
