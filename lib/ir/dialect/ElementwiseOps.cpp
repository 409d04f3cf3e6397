//===- ElementwiseOps.cpp - Elementwise op classes ------------------------===//
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/Builders.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

#define GET_OP_CLASSES
#include "ir/dialect/ElementwiseOps.cpp.inc"

void CoreAIDialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/dialect/ElementwiseOps.cpp.inc"
      >();
}
