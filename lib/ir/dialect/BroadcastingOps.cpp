//===- BroadcastingOps.cpp - Elementwise ops that broadcast ---------------===//
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/Builders.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

#define GET_OP_CLASSES
#include "ir/dialect/BroadcastingOps.cpp.inc"

void CoreAIDialect::registerBroadcastingOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/dialect/BroadcastingOps.cpp.inc"
      >();
}
