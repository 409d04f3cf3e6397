//===- UnaryOps.cpp - Elementwise ops of one operand ----------------------===//
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/Builders.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

#define GET_OP_CLASSES
#include "ir/dialect/UnaryOps.cpp.inc"

void CoreAIDialect::registerUnaryOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/dialect/UnaryOps.cpp.inc"
      >();
}
