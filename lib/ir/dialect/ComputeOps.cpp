//===- ComputeOps.cpp - Reductions, products, gathers -------------------===//
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/Builders.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

#define GET_OP_CLASSES
#include "ir/dialect/ComputeOps.cpp.inc"

void CoreAIDialect::registerComputeOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/dialect/ComputeOps.cpp.inc"
      >();
}
